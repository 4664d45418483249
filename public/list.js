// Selecting rows of a list, and the keys of its rows. Without the script, "Select" leads to the same list with checkboxes.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const bar = () => $("#bulk");
const boxes = () => $$("#list [name=id]");
const rowOf = (element) => element?.closest("#list li[data-id]");
/** What has the focus in a row: its link, or its checkbox. */
const controlOf = (row) => row && ($("[name=id]", row) || $("a.row", row));

/** The ids of the selected rows. They outlive an update of the list, which replaces its rows. */
const selected = new Set();
/** The checkbox from which a range begins, and whether the next one ends it. */
let lastID;
let isRange = false;

/** Sends the bar with the selection to where the server says how many they are and what they come to. */
async function sumUp() {
  const form = bar();
  if (!form) return;
  const fields = new URLSearchParams(new FormData(form));
  fields.append("ask", "sum");
  // Its buttons are named "action", so that they hide the property of the form.
  const address = form.getAttribute("action");
  const response = await fetch(address, { method: "POST", body: fields }).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [words, sums] = [$("[data-bulk] .selected", page), $("[data-bulk]", page)];
  if (!words || bar() !== form) return;
  $(".selected", form).replaceWith(words);
  Object.assign(form.dataset, { count: sums.dataset.count, sum: sums.dataset.sum });
}

/** The checkbox for all that match, also on other pages. */
const all = () => $("#bulk [name=all]");

let sumTimer;
/** Shows the state of the checkboxes at their rows and in the bar. */
function show() {
  for (const box of boxes()) {
    box.checked = all()?.checked || selected.has(box.value);
    rowOf(box).toggleAttribute("data-selected", box.checked);
  }
  if (!bar()) return;
  bar().dataset.count = selected.size;
  clearTimeout(sumTimer);
  sumTimer = setTimeout(sumUp, 60);
}

function choose(box) {
  const listed = boxes();
  // All but one: the rows of this page are left.
  if (all()?.checked) {
    all().checked = false;
    listed.forEach(({ value }) => selected.add(value));
  }
  const start = listed.findIndex(({ value }) => value === lastID);
  const end = listed.indexOf(box);
  const range = isRange && start >= 0 ? listed.slice(Math.min(start, end), Math.max(start, end) + 1) : [box];
  for (const { value } of range) box.checked ? selected.add(value) : selected.delete(value);
  lastID = box.value;
  show();
}

document.addEventListener("pointerdown", ({ shiftKey }) => (isRange = shiftKey), true);
document.addEventListener("change", ({ target }) => {
  if (target.matches("#list [name=id]")) choose(target);
  if (target.matches("#bulk [name=all]")) {
    selected.clear();
    show();
  }
});

/** Makes the rows of the list checkboxes, with one of them selected. */
async function select(address, id) {
  const response = await fetch(address, { headers: { Accept: "text/html;quiet" } }).catch(() => null);
  if (!response?.ok) return location.assign(address);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  history.replaceState(history.state, "", address);
  $("#list").replaceWith($("#list", page));
  $("#selecting").replaceWith($("#selecting", page));
  const box = boxes().find(({ value }) => value === id);
  if (box) {
    box.checked = true;
    choose(box);
  }
  (box || boxes()[0])?.focus();
}

// The coloured dot of a row, like "Select", is a way to select it.
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey) return;
  const link = $("[data-select]");
  const dot = event.target.closest("#list .row > .dot");
  if (!link || !(dot || event.target.closest("[data-select]"))) return;
  event.preventDefault();
  select(link.href, rowOf(dot)?.dataset.id);
});

/** Asks for a change of the focused row, or of the selection if there is one. */
function act(row, field, value) {
  const isOfSelection = bar() && (all().checked || selected.size > 0);
  const form = isOfSelection ? bar().cloneNode(true) : document.createElement("form");
  if (!isOfSelection) {
    Object.assign(form, { method: "post", action: $("#list").dataset.bulkAt });
    form.append(hidden("csrf", $("[name=csrf]").value), hidden("id", row.dataset.id));
    form.append(hidden("back", $("#list").dataset.back));
  } else {
    for (const id of selected) form.append(hidden("id", id));
  }
  form.removeAttribute("id");
  form.hidden = true;
  $("[name=value]", form)?.remove();
  form.append(hidden(field, value));
  document.body.append(form);
  form.submit();
}

function hidden(name, value) {
  return Object.assign(document.createElement("input"), { type: "hidden", name, value });
}

/** Shows the form of a row in its place. A row that a bank reports has none. */
function edit(row) {
  const address = new URL(location);
  address.searchParams.delete("select");
  address.searchParams.set("edit", row.dataset.id);
  address.hash = "";
  "bank" in row.dataset ? $("a.row", row).click() : location.assign(address);
}

// The form in a row begins with what is corrected most often, or with what was refused.
const corrected = $("[data-editor]:not(:has([aria-invalid])) [name=amount]");
corrected?.focus();
corrected?.select();

const asked = { c: "category", p: "payee", a: "account", t: "tags-add" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key === "Escape") $("[data-editor] [data-discards]")?.click();
  if (event.target.closest("input:not([name=id]), select, textarea, summary") || !$("#list")) return;
  const rows = $$("#list li[data-id]");
  const row = rowOf(event.target);
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  isRange = event.shiftKey;
  if (step) {
    const next = row ? rows.indexOf(row) + step : 0;
    if (!rows[next]) return;
    controlOf(rows[next]).focus();
  } else if (!row) {
    return;
  } else if (event.key === "x" || (event.key === " " && !$("[name=id]", row))) {
    const box = $("[name=id]", row);
    const link = $("[data-select]");
    if (box) box.click();
    else if (link) select(link.href, row.dataset.id);
  } else if (event.key === "e") {
    edit(row);
  } else if (asked[event.key]) {
    act(row, "ask", asked[event.key]);
  } else if (event.key === "d") {
    act(row, "action", "duplicate");
  } else if (event.key === "Backspace" || event.key === "Delete") {
    act(row, "action", "delete");
  } else {
    return;
  }
  event.preventDefault();
});

// A list that was brought up to date shows the same rows as selected; so does one that the browser went back to.
const seen = new MutationObserver(() => bar() && show());
const place = $("#list")?.parentNode;
if (place) seen.observe(place, { childList: true });
for (const box of boxes()) if (box.checked) selected.add(box.value);
if (bar()) show();
