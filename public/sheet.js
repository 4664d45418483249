// The sheet of a transaction: a payee brings the rest with it. Without the script, the links of earlier payees do.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const on = (type, listener) => document.addEventListener(type, listener);

const change = (target) => target.dispatchEvent(new Event("change", { bubbles: true }));
const listOf = (form) => form && $("[data-repeats]", form);
const nameKey = (text) => text.normalize("NFKC").toUpperCase().trim().replace(/\s+/g, " ");

/** The fields that follow a payee. The account comes before its currency, and the kind before its categories. */
const followers = ["kind", "account", "to_account", "currency", "category", "note", "amount"];
/** What was filled in here, by form: another payee may replace it. */
const given = new WeakMap();

/** Fills in a form from the query of a link. What the user has entered stays, except where the link was chosen. */
const fill = (form, link, isChosen) => {
  const query = new URL(link.href).searchParams;
  const kept = listOf(form).dataset.kept.split(" ");
  const shown = form.cloneNode(true);
  shown.reset();
  const before = given.get(form) ?? {};
  const now = { ...before };
  for (const name of followers) {
    const field = form.elements[name];
    const first = "typed" in form.dataset ? "" : shown.elements[name]?.value;
    const isFree = ["", first, before[name]].includes(field?.value);
    const isTaken = isFree || (isChosen && name !== "amount");
    // An account has brought its currency.
    if (!field || !isTaken || kept.includes(name) || (name === "currency" && !query.has(name))) continue;
    // An amount that appears while the next one is being typed would become a part of it.
    if (name === "amount" && !isChosen) continue;
    const value = query.get(name) ?? first;
    now[name] = value;
    if (field.value === value) continue;
    field.value = value;
    if (value) field.closest?.("details")?.setAttribute("open", "");
    change(field.dispatchEvent ? field : field[0]);
  }
  given.set(form, now);
};

/** Takes a payee, and leads to the amount. */
const choose = (form, link) => {
  const { payee, amount } = form.elements;
  payee.value = new URL(link.href).searchParams.get("payee");
  fill(form, link, true);
  const next = listOf(form).dataset.kept.includes("amount") ? payee : amount;
  next.focus();
  next.select();
};

/** Shows the payees that the typed text can mean. */
const suggest = async (form) => {
  const { payee } = form.elements;
  const list = listOf(form);
  const text = payee.value;
  const address = `${list.dataset.repeats}?q=${encodeURIComponent(text)}`;
  const response = await fetch(address, { headers: { Accept: "text/html;quiet" } }).catch(() => null);
  if (!response?.ok) return [];
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (payee.value !== text || form.dataset.busy) return [];
  const [isQuick, links] = ["quick" in form.dataset, $$("[data-repeats] a", page)];
  if (text) links[0]?.classList.add("primary");
  // One that has the focus is chosen in a moment: leaving the field asks for them once more.
  if (list.contains(document.activeElement)) return links;
  list.replaceChildren(...(text || !isQuick ? links : []).map((link) => link.parentElement));
  return links;
};

/** The suggestions take the place of the browser's list of names. */
const prepare = (form) => form.elements.payee.removeAttribute("list");

let timer;
on("input", ({ target }) => {
  const { form } = target;
  if (target.name === "payee" && listOf(form)) {
    clearTimeout(timer);
    timer = setTimeout(suggest, 80, form);
  }
  if (form) showLeft(form);
});

on("change", async ({ target }) => {
  const form = target.form ?? target;
  const { date, day, payee } = form.elements ?? {};
  if (target === payee && payee.value && listOf(form)) {
    const links = await suggest(form);
    const isSame = (link) => nameKey(new URL(link.href).searchParams.get("payee")) === nameKey(payee.value);
    const link = links.find(isSame);
    if (link) fill(form, link, false);
  }
  if (target.name === "day") {
    if (target.value) date.value = target.value;
    else date.focus();
  } else if (day && (target === date || target === form)) {
    // A draft was filled in, or a day was typed.
    const chosen = [...day].find(({ value }) => value === date.value) ?? $("[name=day][value='']", form);
    chosen.checked = true;
  }
  showLeft(form);
});

on("click", (event) => {
  const link = event.target.closest("form [data-repeats] a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  choose(link.closest("form"), link);
});

on("keydown", async (event) => {
  const { target, key } = event;
  const form = target.closest("form");
  const again = form && $("[name=again]", form);
  if (again && key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(again);
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (!target.closest("input, select, textarea")) {
    const pressed = $(`button[data-press="${CSS.escape(key)}"]`);
    if (pressed) event.preventDefault(), pressed.click();
  }
  if (!listOf(form)) return;
  const { payee, amount } = form.elements;
  const links = $$("a", listOf(form));
  const place = links.indexOf(target);
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (place >= 0 && step) {
    event.preventDefault();
    (links[place + step] ?? (step < 0 ? payee : target)).focus();
  } else if (place >= 0 && key === "Escape") {
    event.preventDefault();
    payee.focus();
  } else if (target === payee && key === "ArrowDown" && links[0]) {
    event.preventDefault();
    links[0].focus();
  } else if (target === payee && key === "Enter" && payee.value && !amount.value) {
    // Nothing can be saved yet: the first suggestion is taken.
    event.preventDefault();
    clearTimeout(timer);
    const [link] = await suggest(form);
    link ? choose(form, link) : amount.focus();
  }
});

on("focusin", ({ target }) => {
  if (target.name === "payee" && listOf(target.form)) prepare(target.form);
});
$$("form:has([data-repeats])").forEach(prepare);

// A row that was added beside its list is marked like one that a link leads to. Its toast has its id.
new MutationObserver(() => {
  const [, id] = $("[data-toast=transaction-added] form")?.action.match(/(\w+)\/delete$/) ?? [];
  $$("li[data-new], #t" + id).forEach((row) => row.toggleAttribute("data-new", row.dataset.id === id));
}).observe($("#toasts"), { childList: true });

/** The value of a number or of a sum of products; NaN for anything else. */
const valueOf = (text, sign) => {
  const plain = text.replace(/[\s'’]/g, "").replaceAll(sign === "," ? "." : ",", "").replace(sign, ".")
    .replaceAll("−", "-").replaceAll("×", "*").replace(/[÷:]/g, "/");
  const times = (product, factor) =>
    factor[0] === "*" ? product * factor.slice(1) : factor[0] === "/" ? product / factor.slice(1) : Number(factor);
  return (plain.match(/[+-]?[^+-]+/g) ?? [])
    .reduce((sum, term) => sum + term.split(/(?=[*/])/).reduce(times, 0), 0);
};

/** Says how much of the amount is in no part yet. */
function showLeft(form) {
  const line = form.querySelector?.("[data-left]");
  if (!line) return;
  const { amount, currency, decimal } = form.elements;
  const read = (text) => valueOf(text, decimal.value);
  const whole = read(amount.value);
  const parts = $$("[name=split_amount]", form).map(({ value }) => value.trim()).filter(Boolean);
  const values = parts.map((text) => (text.endsWith("%") ? (whole * read(text.slice(0, -1))) / 100 : read(text)));
  const style = { style: "currency", currency: currency.value };
  const digits = new Intl.NumberFormat("en", style).resolvedOptions().maximumFractionDigits;
  const left = Number(values.reduce((rest, value) => rest - value, whole).toFixed(digits));
  const shown = `${Math.abs(left).toFixed(digits).replace(".", decimal.value)} ${currency.value}`;
  const isKnown = parts.length && whole > 0 && Number.isFinite(left);
  line.textContent = isKnown ? line.dataset[left < 0 ? "over" : "left"].replace("%a", shown) : "";
}

// The form of a new transaction above another page. It is that of its own page, and is sent without leaving the one
// beneath.
const dialog = document.createElement("dialog");
const toasts = $("#toasts");
const entry = () => $("#entry", dialog);
/** The functions of the page. */
let page;

/** Tells the script that keeps drafts. */
const tell = (name, form) => document.dispatchEvent(new CustomEvent(name, { detail: form }));

/** Shows the form of another page in place of the one before. */
const put = (source) => {
  const former = entry();
  const [head, part] = [$("main > .head", source), $("[data-entry]", source)];
  const button = $("[data-closes]", part);
  button.hidden = false;
  head.append(button);
  // Files are added on the page of the form, which shows what was typed here.
  const chooser = $("label[for=file]", part);
  if (chooser) {
    const link = Object.assign(document.createElement("a"), { className: "btn", href: document.body.dataset.new });
    link.append(...chooser.childNodes);
    link.addEventListener("click", () => (entry().dataset.typed = ""));
    chooser.replaceWith(link);
  }
  // The toasts are beneath whatever is above the page, except in it.
  dialog.replaceChildren(head, part, toasts);
  dialog.ariaLabel = $("h1", head).textContent;
  if (former) tell("formleft", former);
  page.connectFields(entry());
};

/** Opens the form at an address. The page itself opens where there is no such form. */
export async function open(address, functions) {
  page = functions;
  // Quietly: it uses up no toast.
  const [response, source] = await page.load(address, { headers: { Accept: "text/html;quiet" } });
  if (dialog.open) return;
  if (!response?.ok || !$("[data-entry] [data-closes]", source)) return page.visit(address);
  // In front of the page: a form of it may have fields of the same ids.
  document.body.prepend(dialog);
  put(source);
  tell("formshown", entry());
  dialog.showModal();
  // The way back closes it.
  history.pushState({ isAbove: true }, "");
}

addEventListener("popstate", () => dialog.open && dialog.close());
// The page comes back from the history, and the form may have been saved on its own page meanwhile.
addEventListener("pageshow", ({ persisted }) => persisted && dialog.open && dialog.close());
dialog.addEventListener("close", () => {
  if (entry()) tell("formleft", entry());
  document.body.append(toasts);
  dialog.replaceChildren();
  dialog.remove();
  if (history.state?.isAbove) history.back();
});
dialog.addEventListener("click", (event) => {
  const closes = event.target.closest("[data-closes], #entry a[data-discards]");
  if (!closes) return;
  event.preventDefault();
  dialog.close();
});

/** Ends above the keyboard of a phone, also where the window keeps its height. */
const fit = () => {
  const { height, scale } = visualViewport;
  dialog.style.maxHeight = scale < 1.1 && height < innerHeight - 100 ? `${height}px` : "";
};
visualViewport.addEventListener("resize", fit);

dialog.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (form.id !== "entry") return;
  event.preventDefault();
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  submitter?.setAttribute("aria-disabled", "true");
  const body = new URLSearchParams(new FormData(form, submitter));
  const [response, source] = await page.load(form.getAttribute("action"), { method: "POST", keepalive: true, body });
  if (!response) return page.keepForLater(form);
  // Otherwise it was closed meanwhile. Another one may be open.
  const isHere = form.isConnected;
  const isAgain = $("[data-entry] [data-closes]", source);
  // What was typed is a draft.
  if (!response.ok && !isHere) return;
  // The page of a fault keeps the entry: the form is sent again, so that it is shown.
  if (!response.ok && !isAgain) return form.submit();
  if (!$("body.app", source)) return page.visit(response.url);
  if (isAgain && isHere) {
    put(source);
    ($("[aria-invalid=true]", dialog) ?? $("#payee", dialog)).focus();
  } else {
    form.remove();
    tell("formleft", form);
    if (isHere) dialog.close();
  }
  if (!response.redirected) return;
  if (!dialog.open && $("main").contains(document.activeElement)) document.activeElement.blur();
  await page.update();
  page.showNotices(source);
  page.announce(source);
});
