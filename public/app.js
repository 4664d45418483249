// Comfort: pages work without it.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const on = (target, names, work) => names.split(" ").forEach((name) => target.addEventListener(name, work));
const go = (address) => location.assign(address);
const load = async (address, options) => {
  const answer = await fetch(address, { headers: { Accept: "text/html" }, ...options });
  return [answer, new DOMParser().parseFromString(await answer.text(), "text/html")];
};

const quiet = { headers: { Accept: "text/html;quiet" } };
const swap = (page, ...parts) => parts.forEach((part) => {
  const now = $(part), then = $(part, page);
  if (now && then) now.replaceWith(document.adoptNode(then));
});

// Keys, as the help lists them.
const places = { o: "/", t: "/transactions", b: "/budgets", r: "/reports", a: "/accounts", c: "/categories", s: "/settings", h: "/history" };
let going = 0;
on(document, "keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input, select, textarea, .tabs, .seg")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (!document.body.classList.contains("app")) return;
  if (event.timeStamp - going < 1200 && places[event.key]) return go(places[event.key]);
  const follow = (link) => link && (event.preventDefault(), go(link.href));
  switch (event.key) {
    case "g": going = event.timeStamp; break;
    case "n": {
      const amount = $("#quick-add #amount");
      event.preventDefault();
      amount?.offsetParent ? amount.focus() : go("/transactions/new");
      break;
    }
    case "/": event.preventDefault(); $("#q") ? $("#q").focus() : go("/transactions#q"); break;
    case "ArrowLeft": follow($("[data-key=previous]")); break;
    case "ArrowRight": follow($("[data-key=next]")); break;
    case "?": event.preventDefault(); go("/help"); break;
  }
});
if (location.hash === "#q") $("#q")?.focus();

// Toasts go by themselves, with a button later.
const fade = (toast) => {
  let timer;
  const start = () => { timer = setTimeout(() => toast.remove(), $("form", toast) ? 15000 : 6000); };
  on(toast, "pointerenter focusin", () => clearTimeout(timer));
  on(toast, "pointerleave focusout", start);
  start();
};
const show = (box) => {
  $$(`[data-toast="${box.dataset.toast}"]`).forEach((old) => old.remove());
  $("#toasts").append(box);
  fade(box);
};
const toast = (key, text) => {
  const box = document.createElement("div");
  box.className = "toast";
  box.dataset.toast = key;
  box.innerHTML = "<p>";
  box.firstChild.textContent = text;
  show(box);
};
$$(".toast").forEach(fade);

// A form is sent once; coming back through history frees it.
on(document, "submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.busy) return form.dataset.busy === "go" || event.preventDefault();
  form.dataset.busy = "1";
  event.submitter?.setAttribute("aria-disabled", "true");
  if (!form.matches("[data-once], [data-quick]")) return;
  event.preventDefault();
  if (form.matches("[data-quick]")) return quick(form);
  // Keeps the form where the server is away.
  fetch("/healthz").then(() => { form.dataset.busy = "go"; form.requestSubmit(event.submitter); }, () => away(form));
});
on(window, "pageshow", (event) => {
  $$("form[data-busy]").forEach(free);
  event.persisted && update();
});
function free(form) {
  delete form.dataset.busy;
  $$("[aria-disabled]", form).forEach((button) => button.removeAttribute("aria-disabled"));
}

// Quick add: the answer brings the new list and a fresh form.
async function quick(form) {
  try {
    const [answer, page] = await load(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const fresh = $("#quick-add", page);
    // A fault's page keeps the entry.
    if (!fresh || (answer.ok && !$("#list", page))) return answer.ok ? go(answer.url) : form.submit();
    if (answer.ok) {
      const [list, here] = await load(location.href, quiet);
      swap(list.ok ? here : page, "#list", "#totals", ".cloud");
      $$("main > [data-notice]").forEach((old) => old.remove());
      $("main > .head").after(...$$("main > [data-notice]", page).map((notice) => document.adoptNode(notice)));
      tabs.postMessage(0);
      $$(".toast", page).forEach((item) => show(document.adoptNode(item)));
    }
    form.replaceWith(document.adoptNode(fresh));
    for (const name of answer.ok ? ["kind", "date", "account"] : []) if (form[name].value) fresh[name].value = form[name].value;
    wire(fresh);
    ($("[aria-invalid]", fresh) || $("#amount", fresh)).focus();
  } catch { away(form); }
}
function away(form) {
  free(form);
  toast("offline", "Not saved: the server cannot be reached. Your entry is still in the form.");
}

// A payee brings its last category along, an account its currency.
function wire(form) {
  const { payee, category, account, currency } = form?.elements || {};
  if (!payee || !category.options) return;
  let chosen = category.value;
  on(category, "change", () => { chosen = true; });
  on(payee, "change", () => {
    const known = $$("#payees option", form).find((option) => option.value === payee.value);
    if (chosen || !known?.dataset.category) return;
    category.value = known.dataset.category;
    const group = $$("optgroup", category).indexOf(category.selectedOptions[0]?.parentElement);
    if (group >= 0) $(`[value=${group ? "income" : "expense"}]`, form).checked = true;
    sort();
  });
  const of = (select) => select?.selectedOptions[0]?.dataset.currency;
  const sort = () => {
    const kind = $("[name=kind]:checked", form)?.value;
    $$("optgroup", category).forEach((group, index) => { group.hidden = group.disabled = kind !== (index ? "income" : "expense"); });
    if (category.selectedOptions[0]?.parentElement.disabled) category.value = "";
    const second = $("[data-second]", form);
    if (!second) return;
    const differs = of(account) !== currency.value || (kind === "transfer" && of(form.elements.to_account) !== currency.value);
    second.hidden = !differs && !form.elements.to_amount.value;
    if (differs) second.open = true;
  };
  on(account, "change", () => {
    if (of(account) && [...currency.options].some((option) => option.value === of(account))) currency.value = of(account);
  });
  on(form, "change", sort);
  sort();
}
$$("form").forEach(wire);

// An empty time zone is the browser's.
const zone = $("[data-zone]");
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";

// Updates that keep scroll, focus and typed text.
const tabs = new BroadcastChannel("rows");
let soon;
on(document, "input", (event) => { if (event.target.form) event.target.form.touched = 1; });
const dirty = () => document.activeElement?.matches("input, select, textarea") || $$("form[method=post]").some((form) => form.touched || $$("input, textarea", form).some((field) => field.value !== field.defaultValue));
const reload = () => $("[data-busy]") || (dirty() ? toast("changed", "Something has changed meanwhile. Reload the page once you are done.") : location.reload());
const refresh = () => { clearTimeout(soon); soon = setTimeout(update, 60); };
// A form that was refused stays as it is.
const refused = performance.getEntriesByType("navigation")[0]?.responseStatus > 399;
async function update() {
  const [answer, page] = refused ? [] : await load(location.href, quiet).catch(() => []);
  if (answer?.redirected) return reload();
  if (!answer?.ok) return;
  const main = $("main"), whole = !$("#list") && !dirty() && !main.contains(document.activeElement) && !$("details[open]", main);
  const row = $$("main [data-id]").find((item) => item.getBoundingClientRect().bottom > 0);
  const top = (item) => item?.getBoundingClientRect().top;
  const was = top(row), at = document.activeElement?.closest("[data-id]")?.dataset.id;
  const place = (id) => id && $(`main [data-id="${id}"]`);
  whole ? swap(page, "main") : swap(page, "#list", "#totals");
  $(".cloud:focus") || swap(page, ".cloud");
  if (whole) $$("main form").forEach(wire);
  scrollBy(0, top(place(row?.dataset.id)) - was || 0);
  if (at) $("a", place(at) || main)?.focus({ preventScroll: true });
}
on(tabs, "message", refresh);
if ($(".toast")) tabs.postMessage(0);

// Live. A hidden page lets go of its stream: a browser's tabs share six connections.
if (document.body.dataset.tier !== "guest") {
  let source;
  const hear = (name, work) => on(source, name, (event) => work(JSON.parse(event.data)));
  const follow = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource("/events");
    hear("status", (news) => {
      const body = document.body.dataset, chip = $(".cloud"), use = $(".cloud use");
      Object.assign(body, { sync: news.sync, pending: news.pending });
      if (chip) {
        chip.dataset.look = news.look;
        use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#cloud-${news.look}`));
        $$("[data-cloud-label], #cloud-title").forEach((item) => { item.textContent = news.label; });
        $("[data-cloud-text]").textContent = news.text;
      }
      if (news.state !== body.state || ($("[data-download]") && !/downloading|connecting/.test(news.sync))) reload();
    });
    hear("progress", (news) => {
      const bar = $("progress"), line = $("[data-progress-text]");
      if (bar && news.total) Object.assign(bar, { max: news.total, value: news.done });
      if (line && news.text) line.textContent = news.text;
    });
    hear("rows", refresh);
    hear("toast", (news) => toast(news.key, news.text));
  };
  on(document, "visibilitychange", () => follow(document.hidden || update()));
  on(window, "pagehide", () => source?.close());
  on(window, "pageshow", (event) => { if (event.persisted) follow(); });
  follow();
}
