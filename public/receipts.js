// Files beside a transaction: drop, paste, progress, and smaller photos. Without the script the form still works.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** The longest side in pixels of a photo that is sent, and the sides of the square picture in lists. */
const longestSide = 2_560;
const sideInLists = 160;

/** How long a file may make no progress before its line offers another attempt. */
const stillMilliseconds = 30_000;

/**
 * Files that wait, are on their way, or were not taken for a reason that may pass, each with its line. The section of
 * the page is replaced while they are.
 */
const queue = [];
let isSending = false;
/** The button that saves, if it was pressed while files were on their way. */
let pressed = null;

const section = () => $("#receipts");
const form = () => $("[data-uploads]");
/** The form of the transaction, to which the fields of the section belong where there is no script. */
const entryForm = () => $("#entry");

/** Whether the transaction is still being entered. Its files are added to the id that it is to get. */
const isNew = () => Boolean(form()?.dataset.once);
const otherTabs = new BroadcastChannel(document.body.dataset.events);

/** A transaction that is full has no form any more. */
let texts = {};
/** The texts of the server, with the name of a file in its place. */
const text = (name, file) => texts[name]?.replace("%f", () => file) ?? "";

/** The names of files in a sentence, the first ten of very many. */
const namesOf = (files) => {
  const shown = files.length > 11 ? files.slice(0, 10) : files;
  const names = shown.map(({ name }) => name).join(", ");
  return shown === files ? names : text("more", names).replace("%n", () => files.length - shown.length);
};

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** What is on its way, above the fields. It moves along when the section is replaced. */
const waiting = element("ul", { className: "rows sending" });
const saying = element("p", { className: "note", hidden: true });
saying.setAttribute("role", "status");
/** A page with a form that is being worked on is not replaced by news of the server. */
const guard = element("form", { method: "post" }, element("input", { type: "hidden" }), saying, waiting);
const reasons = element("div");
const errors = element("div", { className: "note bad", hidden: true }, reasons);
errors.setAttribute("role", "alert");
const news = element("p", { className: "vh" });
news.setAttribute("role", "status");

const fail = (message, key = "") => {
  if (!message) return;
  hold(null);
  errors.hidden = false;
  // One reason may concern several files.
  if ([...reasons.children].some(({ textContent }) => textContent === message)) return;
  const line = element("p", { textContent: message });
  line.dataset.key = key;
  reasons.append(line);
};

/** Says that the files that were not taken come first. It is over once there is none of them. */
const failFirst = () => fail(text("first"), "first");
const settle = () => {
  if (queue.some((entry) => entry.hasFailed)) return;
  $$("[data-key=first]", errors).forEach((line) => line.remove());
  errors.hidden = !reasons.hasChildNodes();
};

const clearErrors = () => {
  reasons.replaceChildren();
  errors.hidden = true;
};

/** Has a button that saves wait for the files; null for none. */
function hold(button) {
  pressed = button;
  saying.hidden = !button;
  saying.textContent = button ? text("soon") : "";
}

/** Draws a picture anew as a JPEG file; null if there is nothing to draw. */
async function picture(file, quality, measures) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  const measured = bitmap && measures(bitmap);
  if (!measured) return null;
  const { width, height, scale } = measured;
  const canvas = element("canvas", { width, height });
  const context = canvas.getContext("2d");
  // JPEG has no transparency.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  const [drawnWidth, drawnHeight] = [bitmap.width * scale, bitmap.height * scale];
  context.drawImage(bitmap, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight);
  bitmap.close();
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
}

/** Smaller; null if it is small enough. */
const scaled = ({ width, height }) => {
  const scale = longestSide / Math.max(width, height);
  const sideOf = (pixels) => Math.max(1, Math.round(pixels * scale));
  return scale < 1 && { width: sideOf(width), height: sideOf(height), scale };
};

/** The middle of the picture as a square. */
const square = ({ width, height }) =>
  ({ width: sideInLists, height: sideInLists, scale: sideInLists / Math.min(width, height) });

const keepsLocation = () => $("[name=keep_location]", form())?.checked;

/** The file as it is sent: a large photo smaller, unless the user wants it as it is. */
async function prepared(file) {
  const mayScale = $("[data-scale]", form())?.checked && !keepsLocation();
  if (!mayScale || !/^image\/(jpeg|png|webp|heic)/.test(file.type)) return file;
  const smaller = await picture(file, 0.86, scaled);
  if (!smaller || smaller.size >= file.size) return file;
  return new File([smaller], file.name.replace(/\.\w+$/, "") + ".jpg", { type: "image/jpeg" });
}

/** Puts files into the queue, as far as the transaction has room for them. */
function add(files) {
  const target = form();
  if (!target || !files.length) return;
  clearErrors();
  $$(".note.bad[data-field=file]", section()).forEach((note) => note.remove());
  const room = Number(target.dataset.left) - queue.length;
  const surplus = files.slice(Math.max(0, room));
  if (surplus.length) fail(text("tooMany", namesOf(surplus)));
  for (const file of files.slice(0, Math.max(0, room))) queue.push(makeEntry(file));
  place();
  sendNext();
}

/** A file with its line, which says how far it is, or why it was not taken. */
function makeEntry(file) {
  const bar = element("progress", { className: "bar-line", max: 1, value: 0 });
  bar.setAttribute("aria-label", file.name);
  const reason = element("span");
  const note = element("span", { className: "s", hidden: true }, reason);
  note.setAttribute("role", "alert");
  const name = element("span", { className: "t", textContent: file.name, dir: "auto" });
  const retry = element("button", { type: "button", className: "btn", textContent: text("retry"), hidden: true });
  const cancel = element("button", { type: "button", className: "btn quiet e", textContent: text("cancel") });
  const grow = element("span", { className: "grow" }, name, bar, note, retry);
  const line = element("li", { className: "row" }, grow, cancel);
  const entry = { file, line, bar, note, reason, retry, cancel };
  cancel.addEventListener("click", () => {
    entry.request?.abort();
    drop(entry);
  });
  retry.addEventListener("click", () => {
    if (entry.isHomeless) return sendWithEntry();
    cancel.focus();
    bar.value = 0;
    entry.hasFailed = false;
    show(entry, "");
    // The next attempt follows the end of the present one, if that has only come to a standstill.
    entry.request?.abort();
    sendNext();
  });
  waiting.append(line);
  return entry;
}

/** Shows on the line of a file why another attempt is offered; an empty text offers none. */
function show(entry, message) {
  const { note, reason, retry, bar, cancel, hasFailed = false } = entry;
  reason.textContent = message;
  reason.className = hasFailed ? "over" : "";
  note.hidden = retry.hidden = !message;
  bar.hidden = hasFailed;
  cancel.textContent = text(hasFailed ? "remove" : "cancel");
  retry.textContent = text(entry.isHomeless ? "continue" : "retry");
}

/** A file that was not taken for a reason that may pass: the page still has it, and can send it again. */
function postpone(entry, message) {
  entry.hasFailed = true;
  show(entry, message);
  if (pressed) failFirst();
}

/**
 * Sends all files with the form of the transaction, as it happens without the script. If the transaction is still deleted,
 * the answer is the form of a new one that has them, and all that was typed.
 */
function sendWithEntry() {
  const files = new DataTransfer();
  for (const entry of queue.splice(0)) {
    entry.isGone = true;
    entry.request?.abort();
    files.items.add(entry.prepared ?? entry.file);
  }
  $("[name=file]", form()).files = files.files;
  entryForm().requestSubmit($("[type=submit]", form()));
}

function drop(entry) {
  entry.isGone = true;
  entry.line.remove();
  const index = queue.indexOf(entry);
  if (index >= 0) queue.splice(index, 1);
  place();
  settle();
  if (queue.length || !pressed) return;
  const button = pressed;
  hold(null);
  entryForm().requestSubmit(button);
}

/** Puts what is on its way into the present section. */
function place() {
  const target = form() ?? section();
  if (!target) return;
  if (form()) target.before(errors, guard, news);
  else target.append(errors, guard, news);
  guard.isTouched = queue.length > 0;
  guard.hidden = !queue.length;
  const count = queue.length + $$("[data-attachment]", section()).length;
  $$("[data-files]").forEach((place) => (place.textContent = count ? `· ${count}` : ""));
}

async function sendNext() {
  if (isSending) return;
  const entry = queue.find((candidate) => !candidate.hasFailed);
  if (!entry) return;
  if (!form()) {
    fail(text("tooMany", namesOf(queue.map(({ file }) => file))));
    return [...queue].forEach(drop);
  }
  isSending = true;
  try {
    const file = await prepared(entry.file);
    if (entry.isGone) return;
    entry.prepared = file;
    if (file.size > Number(form().dataset.bytes)) {
      fail(text("tooLarge", entry.file.name));
      return drop(entry);
    }
    const small = await picture(file, 0.7, square);
    if (!entry.isGone) await send(entry, file, small);
  } finally {
    isSending = false;
    if (queue.some((candidate) => !candidate.hasFailed)) sendNext();
  }
}

/** Whether a later attempt may be answered in another way. 507: there is no room, and waiting makes none. */
const mayPass = (status) =>
  status < 400 || [401, 403, 408, 425, 429].includes(status) || (status >= 500 && status !== 507);

/** The reason that an answer without a page of this transaction shows. */
const reasonOf = (status) => {
  // The page of this device would have been answered with another token.
  if (status === 403) return "cookies";
  if (!mayPass(status)) return "refused";
  if (status === 429 || status === 503) return "later";
  // A proxy answers for the server, which may have the file.
  return status === 502 || status === 504 ? "unsure" : "failed";
};

/** Sends a file. A page whose token is too old is answered with one that has another. */
function send(entry, file, thumbnail, isRepeated = false) {
  return new Promise((done) => {
    const data = new FormData();
    data.append("csrf", form().dataset.csrf);
    if (isNew()) data.append("once", form().dataset.once);
    if (keepsLocation()) data.append("keep_location", "on");
    data.append("file", file, file.name);
    if (thumbnail) data.append("thumbnail", thumbnail, "0");
    const request = new XMLHttpRequest();
    entry.request = request;
    let timer;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => show(entry, text("still")), stillMilliseconds);
    };
    const end = () => {
      clearTimeout(timer);
      entry.request = null;
      done();
    };
    request.responseType = "document";
    // The server may have all of the file, and only its answer is missing.
    let isSent = false;
    request.upload.addEventListener("load", () => (isSent = true));
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      entry.bar.value = loaded / total;
      show(entry, "");
      watch();
    });
    request.addEventListener("load", () => {
      const { response: page, status } = request;
      const name = entry.file.name;
      const answered = page && $("#receipts", page);
      // A restored transaction may have another address, to which the server leads.
      const isElsewhere = answered && !isNew() && answered.dataset.page !== section().dataset.page;
      if (isElsewhere || ((status === 404 || status === 410) && !isNew())) {
        entry.isHomeless = true;
        postpone(entry, text("gone", name));
        return end();
      }
      const fresh = answered;
      const messages = fresh ? $$("[data-field=file] li", fresh).map((line) => line.textContent) : [];
      const links = fresh ? $$("[data-field=file] a", fresh) : [];
      // A caution about a photo that was added: it is no reason for another attempt.
      const caution = fresh && $("[data-notice=place]", fresh);
      if (fresh) {
        $$("[data-field=file]", fresh).forEach((note) => note.remove());
        replace(fresh);
        if (status === 403 && !isRepeated && form()) {
          clearTimeout(timer);
          return done(send(entry, file, thumbnail, true));
        }
      }
      if (!messages.length && (status >= 400 || !fresh)) messages.push(text(reasonOf(status), name));
      if (messages.length && mayPass(status)) {
        postpone(entry, messages.join(" "));
      } else {
        messages.forEach(fail);
        if (!$("a", reasons)) reasons.append(...links);
        const notes = [fresh && $(".toast", page), caution].filter(Boolean);
        news.textContent = notes.map((note) => note.textContent.trim()).join(" ");
        if (fresh && !isNew()) otherTabs.postMessage(0);
        drop(entry);
      }
      end();
    });
    request.addEventListener("error", () => {
      postpone(entry, text(isSent ? "unsure" : "offline", entry.file.name));
      end();
    });
    request.addEventListener("abort", end);
    request.open("POST", form().dataset.action);
    request.setRequestHeader("Accept", "text/html");
    request.send(data);
    watch();
  });
}

/** Puts the section of an answer in the place of the present one. What was chosen there applies to all files. */
function replace(fresh) {
  const keeps = $("[name=keep_location]")?.checked;
  // The form beside the section has not been saved in the meantime, and other photos may still have their place.
  const said = $$("[data-notice]", fresh).map(({ textContent }) => textContent);
  const remarks = $$("[data-notice]", section()).filter(({ textContent }) => !said.includes(textContent));
  $("h2", fresh).after(...remarks);
  section().replaceWith(fresh);
  connect();
  place();
  const choice = $("[name=keep_location]");
  if (choice && keeps !== undefined) choice.checked = keeps;
  if ($("[data-attachment]", fresh)) stay();
}

/** Gives a new transaction with files an address that shows them again, and has no update take its place. */
function stay() {
  if (!section()?.matches("[data-draft]")) return;
  history.replaceState(null, "", section().dataset.page);
  entryForm().isTouched = true;
}

/** Shows the files as the server has them now. The rest of the page stays, because something may be typed there. */
async function refresh() {
  const isFree = () => section() && !queue.length && !section().contains(document.activeElement);
  if (!isFree()) return;
  // It uses up no toast.
  const options = { headers: { Accept: "text/html;quiet" } };
  const response = await fetch(section().dataset.page, options).catch(() => null);
  if (!response?.ok || response.redirected) return;
  const fresh = $("#receipts", new DOMParser().parseFromString(await response.text(), "text/html"));
  if (fresh && isFree()) replace(fresh);
}

/** The addresses to which small pictures were sent: each is tried once. */
const drawn = new Set();

/** Makes the small pictures of files that came from another device, or were added without the script. */
async function drawMissing() {
  for (const line of $$("[data-draw]", section())) {
    const address = line.dataset.draw;
    if (drawn.has(address)) continue;
    drawn.add(address);
    const response = await fetch($("a.t", line).href).catch(() => null);
    const small = response?.ok && (await picture(await response.blob(), 0.7, square));
    if (!small) continue;
    const data = new FormData();
    data.append("csrf", $("[name=csrf]", entryForm()).value);
    data.append("thumbnail", small, "0");
    const answer = await fetch(address, { method: "POST", body: data }).catch(() => null);
    if (answer?.ok) refreshSoon();
  }
}

let refreshing;
const refreshSoon = () => {
  clearTimeout(refreshing);
  refreshing = setTimeout(refresh, 200);
};

/** Gives the section its comforts, once. */
function connect() {
  drawMissing();
  const target = form();
  if (!target || target.isConnectedToScript) return;
  target.isConnectedToScript = true;
  texts = { ...target.dataset };
  const scale = $("[data-scale]", target);
  if (scale) {
    scale.closest("label").hidden = false;
    // Other apps may share the origin, and its storage.
    const name = "breadly.scale";
    scale.checked = localStorage.getItem(name) !== "off";
    scale.addEventListener("change", () => localStorage.setItem(name, scale.checked ? "on" : "off"));
  }
  $$("[data-with-script]", target).forEach((part) => (part.hidden = false));
  // A chosen file is sent at once, so the button has nothing to do.
  $("[type=submit]", target).hidden = true;
  for (const input of $$("input[type=file]", target)) {
    input.addEventListener("change", () => {
      const files = [...input.files];
      input.value = "";
      add(files);
    });
  }
}

for (const name of ["dragover", "drop"]) {
  document.addEventListener(name, (event) => {
    if (!form() || ![...event.dataTransfer.types].includes("Files")) return;
    // A file that misses the section would take the place of the page, and of all that was typed.
    event.preventDefault();
    section().classList.toggle("panel", name === "dragover");
    if (name === "drop") add([...event.dataTransfer.files]);
  });
}

document.addEventListener("dragleave", ({ relatedTarget }) => {
  if (!relatedTarget) section()?.classList.remove("panel");
});

document.addEventListener("paste", (event) => {
  const files = [...event.clipboardData.files];
  // What an office program copies is a text and a picture of it: in a field, the text is meant.
  const isText = event.clipboardData.types.includes("text/plain") && event.target.matches?.("input, textarea");
  if (!files.length || isText) return;
  event.preventDefault();
  add(files);
});

addEventListener("beforeunload", (event) => {
  if (queue.length) event.preventDefault();
});

// Saving leaves the page. It waits for the files that are on their way; the user decides first about those that were
// not taken.
const saveAfterwards = (event) => {
  if (event.target !== entryForm() || !queue.length) return;
  event.preventDefault();
  clearErrors();
  const waitsForUser = queue.some((entry) => entry.hasFailed);
  // A button of the section is replaced with it.
  if (waitsForUser || section().contains(event.submitter)) failFirst();
  else hold(event.submitter ?? $("[type=submit]", entryForm()));
  guard.scrollIntoView({ block: "nearest" });
};
document.addEventListener("submit", saveAfterwards, { capture: true });

// The page of a form that was sent with what was typed has the address of that form, which cannot be loaded anew.
const page = section()?.dataset.page;
if (page && !section().matches("[data-draft]") && location.pathname !== page) {
  history.replaceState(null, "", page + location.hash);
  entryForm().isTouched = true;
}
if ($("#receipts [data-attachment]")) stay();

// Without the script a toast sends the form of the transaction along. With it the page stays, and all that was typed.
for (const button of $$(".toast [form]")) {
  ["form", "formaction", "formnovalidate"].forEach((name) => button.removeAttribute(name));
}

// Undo, other tabs, and files that reach the cloud change the section, also while something is typed beside it.
otherTabs.addEventListener("message", refreshSoon);
const onTheirWay = ["status=local_only", "status=uploading", "status=failed", "follows"].map((state) => `[data-${state}]`);
new MutationObserver(() => {
  if (section()?.querySelector(onTheirWay.join())) refreshSoon();
}).observe(document.body, { attributes: true, subtree: true, attributeFilter: ["data-look", "data-sync"] });

connect();
// News of the server may replace all of the page.
new MutationObserver(() => {
  connect();
  if (!guard.isConnected && (queue.length || reasons.hasChildNodes())) place();
}).observe(document.body, { childList: true, subtree: true });
