// A page that is open says when its server does not answer, because what it shows is of then: whether all is backed up
// is not known any more.

const $$ = (selector) => [...document.querySelectorAll(selector)];
const [template] = $$("[data-silence]");
const site = document.body.dataset;

/** Milliseconds until the server is asked: in quiet times, after a stream that broke, and after one that was refused. */
const waits = { quiet: 60_000, broken: 3_000, refused: 10_000 };
// The states of `EventSource`.
const [connecting, , closed] = ["0", "1", "2"];

let heardAt = new Date();
let timer;
let question = 0;
/** A stream that was refused at first, as in the storybook, is not asked for again. */
let wasOpen = false;

const plan = (milliseconds) => {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(ask, milliseconds);
};

/** Nothing that is under way counts any more: the page is left, or hidden. */
const stop = () => {
  clearTimeout(timer);
  question += 1;
};

async function ask() {
  stop();
  const asked = question;
  const isThere = await fetch(site.health, { cache: "no-store", signal: AbortSignal.timeout(8_000) })
    // A proxy answers for a server that is away.
    .then(({ status }) => status < 500, () => false);
  if (asked !== question) return;
  if (!isThere) {
    show();
    return plan(waits.broken);
  }
  hear();
  // The stream does not come back by itself, and brings the present words of the header.
  if (hide() || (wasOpen && site.stream === closed)) document.dispatchEvent(new Event("reconnect"));
}

const hear = () => {
  heardAt = new Date();
  plan(waits.quiet);
};

const clock = () => {
  const isToday = heardAt.toDateString() === new Date().toDateString();
  return heardAt.toLocaleString([], { ...(!isToday && { dateStyle: "medium" }), timeStyle: "short" });
};

function show() {
  let [note] = $$("main [data-silent]");
  if (!note) {
    note = template.content.cloneNode(true).querySelector("[data-silent]");
    note.setAttribute("role", "alert");
  }
  const [time, icon] = ["time", "use"].map((name) => note.querySelector(name));
  Object.assign(time, { textContent: clock(), dateTime: heardAt.toISOString() });
  if (!note.isConnected) $$("main")[0].prepend(note);
  $$(".cloud").forEach(({ dataset }) => (dataset.look = "slash"));
  $$(".cloud use").forEach(({ href }) => (href.baseVal = icon.href.baseVal));
  const write = (selector, text) => $$(selector).forEach((element) => (element.textContent = text));
  write("[data-cloud-label], #cloud-title", template.dataset.label);
  write("[data-cloud-text]", note.textContent.trim());
}

/** Returns whether the server was silent. */
const hide = () => $$("main [data-silent]").map((note) => note.remove()).length > 0;

// The script of the stream sets these: the state of the stream, and with each status the state of sync, also to the same.
new MutationObserver(() => {
  if (site.stream === closed) plan(waits.refused);
  else if (site.stream === connecting) plan(waits.broken);
  else {
    wasOpen = true;
    stop();
    hear();
    hide();
  }
}).observe(document.body, { attributes: true, attributeFilter: ["data-stream", "data-sync"] });

addEventListener("offline", ask);
addEventListener("online", ask);
addEventListener("pagehide", stop);
addEventListener("pageshow", ({ persisted }) => persisted && ask());
document.addEventListener("visibilitychange", () => (document.hidden ? stop() : ask()));
plan(waits.quiet);
