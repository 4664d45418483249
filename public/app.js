// Comfort: pages work without it.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const on = (target, names, work) => names.split(" ").forEach((name) => target.addEventListener(name, work));
const go = (address) => location.assign(address);
// Empty if the server is away.
const load = (address, options) => fetch(address, { headers: { Accept: "text/html" }, ...options })
  .then(async (answer) => [answer, new DOMParser().parseFromString(await answer.text(), "text/html")])
  .catch(() => []);
const send = (form) => load(form.action, { method: "POST", keepalive: true, body: new URLSearchParams(new FormData(form)) });

const peek = () => load(location.href, { headers: { Accept: "text/html;quiet" } });
const swap = (page, ...parts) => parts.forEach((part) => {
  const then = $(part, page);
  if (then) $(part)?.replaceWith(then);
});

const site = document.body.dataset;

// Keys of the help.
let going = 0;
on(document, "keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input, select, textarea, .tabs, .seg")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (!$("body.app")) return;
  const place = event.timeStamp - going < 1200 && JSON.parse(site.places)[event.key];
  if (place) return go(place);
  const reach = (field, address) => (event.preventDefault(), field?.offsetParent ? field.focus() : go(address));
  const follow = (link) => link && reach(null, link.href);
  switch (event.key) {
    case "g": going = event.timeStamp; break;
    case "n": reach($("#quick-add #amount"), site.new); break;
    case "/": reach($("#q"), site.search); break;
    case "ArrowLeft": follow($("[data-key=previous]")); break;
    case "ArrowRight": follow($("[data-key=next]")); break;
    case "?": reach(null, site.help);
  }
});
if (location.hash === "#q") $("#q")?.focus();

// Toasts go; with a button later.
const fade = (toast) => {
  let timer;
  const start = () => (timer = setTimeout(() => toast.remove(), $("form", toast) ? 15e3 : 6e3));
  on(toast, "pointerenter focusin", () => clearTimeout(timer));
  on(toast, "pointerleave focusout", start);
  start();
};
const show = (box) => {
  $(`[data-toast="${box.dataset.toast}"]`)?.remove();
  $("#toasts").append(box);
  fade(box);
};
const toast = (key, text) => {
  const box = Object.assign(document.createElement("div"), { className: "toast", innerHTML: "<p>" });
  box.dataset.toast = key;
  box.firstChild.textContent = text;
  show(box);
};
$$(".toast").forEach(fade);

// A form is sent once; history frees it.
on(document, "submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.busy) return form.dataset.busy === "go" || event.preventDefault();
  form.dataset.busy = "1";
  event.submitter?.setAttribute("aria-disabled", "true");
  if (!form.matches("[data-once], .toast form")) return;
  event.preventDefault();
  if (form.matches("[data-quick]")) return quick(form);
  if (form.closest(".toast")) return undo(form);
  // Keeps the form if the server is away.
  fetch(site.health).then(() => { form.dataset.busy = "go"; form.requestSubmit(event.submitter); }, () => away(form));
});
on(window, "pageshow", (event) => {
  $$("form[data-busy]").forEach(free);
  event.persisted && update();
});
function free(form) {
  delete form.dataset.busy;
  $$("[aria-disabled]", form).forEach((button) => (button.ariaDisabled = null));
}

async function quick(form) {
  const [answer, page] = await send(form);
  if (!answer) return away(form);
  const fresh = $("#quick-add", page);
  // A fault's page keeps the entry.
  if (!fresh || (answer.ok && !$("#list", page))) return answer.ok ? go(answer.url) : form.submit();
  if (answer.ok) {
    const [list, here] = await peek();
    swap(list?.ok ? here : page, "#list", "#totals", ".cloud");
    $$("main > [data-notice]").forEach((old) => old.remove());
    $("main > .head").after(...$$("main > [data-notice]", page));
    told(page);
    for (const name of ["kind", "date", "account"]) if (form[name].value) fresh[name].value = form[name].value;
  }
  form.replaceWith(fresh);
  wire(fresh);
  ($("[aria-invalid]", fresh) || $("#amount", fresh)).focus();
}
function told(page) {
  tabs.postMessage(0);
  $$(".toast", page).forEach(show);
}

// Undo stays: an entry may be begun.
async function undo(form) {
  const [answer, page] = await send(form);
  if (answer?.ok && $(".toast", page)) {
    form.closest(".toast").remove();
    await update();
    told(page);
  } else if (answer && !dirty()) form.submit();
  else away(form, "Not undone yet: save your entry, or try again in a moment.");
}
function away(form, text = "Not saved: the server cannot be reached. Your entry is still in the form.") {
  free(form);
  toast("offline", text);
}

// A payee brings a category, an account a currency.
function wire(form) {
  const { kind, payee, category, account, currency, to_account, to_amount } = form?.elements || {};
  if (!payee || !category.options) return;
  let chosen = category.value;
  on(category, "change", () => (chosen = true));
  on(payee, "change", () => {
    const known = $$("#payees option", form).find((item) => item.value === payee.value);
    if (chosen || !known?.dataset.category) return;
    category.value = known.dataset.category;
    const group = $$("optgroup", category).indexOf(category.selectedOptions[0]?.parentElement);
    if (group >= 0) kind.value = group ? "income" : "expense";
    sort();
  });
  const of = (select) => select?.selectedOptions[0]?.dataset.currency;
  const sort = () => {
    $$("optgroup", category).forEach((group, index) => (group.hidden = group.disabled = kind.value !== (index ? "income" : "expense")));
    if (category.selectedOptions[0]?.parentElement.disabled) category.value = "";
    const second = $("[data-second]", form);
    if (!second) return;
    const differs = of(account) !== currency.value || (kind.value === "transfer" && of(to_account) !== currency.value);
    second.hidden = !differs && !to_amount.value;
    if (differs) second.open = true;
  };
  on(account, "change", () => {
    if ($(`[value="${of(account)}"]`, currency)) currency.value = of(account);
  });
  on(form, "change", sort);
  sort();
}
$$("form").forEach(wire);

// No time zone: the browser's.
const zone = $("[data-zone]");
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;

// Updates keep scroll, focus and text.
const tabs = new BroadcastChannel(site.events);
let soon;
on(document, "input", ({ target }) => { if (target.form) target.form.touched = 1; });
const dirty = () => document.activeElement?.matches("input, select, textarea") || $$("form[method=post] :is(input, textarea)").some((field) => field.form.touched || field.value !== field.defaultValue);
// Inert: presses lose toasts.
let left = 0;
on(window, "beforeunload", () => (left = Date.now()));
const reload = () => $("[data-busy]") || Date.now() - left < 5e3 || (dirty() ? toast("changed", "Something has changed meanwhile. Reload the page once you are done.") : (document.body.inert = true, setTimeout(() => (document.body.inert = false), 5e3), location.reload()));
const refresh = () => (clearTimeout(soon), soon = setTimeout(update, 60));
// A refused form stays.
const refused = performance.getEntriesByType("navigation")[0]?.responseStatus > 399;
async function update() {
  const [answer, page] = refused ? [] : await peek();
  if (answer?.redirected) return reload();
  if (!answer?.ok) return;
  const main = $("main"), whole = !$("#list") && !dirty() && !main.contains(document.activeElement) && !$("details[open]", main);
  const row = $$("main [data-id]").find((item) => item.getBoundingClientRect().bottom > 0);
  const top = (item) => item?.getBoundingClientRect().top, was = top(row), at = document.activeElement?.closest("[data-id]")?.dataset.id;
  const place = (id) => $(`main [data-id="${id}"]`);
  whole ? swap(page, "main") : swap(page, "#list", "#totals");
  $(".cloud:focus") || swap(page, ".cloud");
  whole && $$("main form").forEach(wire);
  scrollBy(0, top(place(row?.dataset.id)) - was || 0);
  if (at) $("a", place(at) || main)?.focus({ preventScroll: true });
}
on(tabs, "message", refresh);
$(".toast") && tabs.postMessage(0);

// Live. A hidden page lets go: tabs share six connections.
if (!$("body[data-tier=guest]")) {
  let source;
  const hear = (name, work) => on(source, name, ({ data }) => work(JSON.parse(data)));
  const follow = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource(site.events + "?" + site.state);
    hear("status", ({ sync, pending, look, label, text, state }) => {
      const chip = $(".cloud"), use = $(".cloud use");
      Object.assign(site, { sync, pending });
      if (chip) {
        chip.dataset.look = look;
        use.href.baseVal = use.href.baseVal.replace(/#.*/, `#cloud-${look}`);
        $$("[data-cloud-label], #cloud-title").forEach((item) => (item.textContent = label));
        $("[data-cloud-text]").textContent = text;
      }
      if (state !== site.state || ($("[data-download]") && !/downloading|connecting/.test(sync))) reload();
    });
    hear("progress", ({ done, total, text }) => {
      const bar = $("progress"), line = $("[data-progress-text]");
      if (bar && total) Object.assign(bar, { max: total, value: done });
      if (line && text) line.textContent = text;
    });
    hear("rows", refresh);
    hear("toast", ({ key, text }) => toast(key, text));
  };
  on(document, "visibilitychange", () => follow(document.hidden || update()));
  on(window, "pagehide", () => source?.close());
  on(window, "pageshow", (event) => event.persisted && follow());
  follow();
}
