// Rows that are put into an order by dragging their grips, or with the arrow keys at them. Without the script, the
// buttons beside them do it.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const rowAt = ({ target }) => target.closest?.("[data-grip]")?.closest("[data-order] > li");
/** A row with the rows of the level below it. */
const withChildren = (row) => [row, ...$$(`:scope > [data-parent="${row.dataset.id}"]`, row.parentElement)];

/** The rows among which a row moves, and its place. */
const siblingsOf = (row) => {
  const rows = $$(":scope > li", row.parentElement).filter(({ dataset }) => dataset.parent === row.dataset.parent);
  return [rows, rows.indexOf(row)];
};

/** Exchanges a row with the one before or after it. The other one moves, so that this one keeps focus and pointer. */
const move = (row, step) => {
  const [rows, place] = siblingsOf(row);
  const other = rows[place + step];
  if (!other) return;
  if (step > 0) row.before(...withChildren(other));
  else withChildren(row).pop().after(...withChildren(other));
  siblingsOf(row)[0].forEach((sibling, index) => {
    const [up, down] = ["up", "down"].map((name) => $(`[name=${name}]`, sibling));
    up.disabled = index === 0;
    down.disabled = index === rows.length - 1;
  });
};

const tell = (toast) => document.dispatchEvent(new CustomEvent("toast", { detail: toast }));

let latest = Promise.resolve();
/** Sends the order, after the one before. */
const save = () => {
  const form = $("#order");
  const options = { method: "POST", keepalive: true, headers: { Accept: "text/html" } };
  latest = latest.then(async () => {
    const body = new URLSearchParams(new FormData(form));
    const response = await fetch(form.action, { ...options, body }).catch(() => null);
    const page = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html");
    if (response?.ok) return $$(".toast", page).forEach(tell);
    // The page that answers says why, as it does without the script.
    if (response) return form.submit();
    const toast = document.createElement("div");
    toast.className = "toast";
    toast.dataset.toast = "offline";
    toast.innerHTML = "<p>Not saved: the server cannot be reached.</p>";
    tell(toast);
  });
};

/** The row that is being dragged, and the rows in the order before. */
let dragged;
let before;

const orderOf = (row) => [...row.parentElement.children];
const end = () => {
  dragged?.removeAttribute("data-dragged");
  dragged = null;
};

document.addEventListener("pointerdown", (event) => {
  const row = rowAt(event);
  if (!row || event.button) return;
  [dragged, before] = [row, orderOf(row)];
  row.setAttribute("data-dragged", "");
});

document.addEventListener("pointermove", ({ clientY }) => {
  if (!dragged) return;
  const edge = 64;
  if (clientY < edge) scrollBy(0, -12);
  if (clientY > innerHeight - edge) scrollBy(0, 12);
  const middle = (row) => {
    const rows = withChildren(row);
    return (rows[0].getBoundingClientRect().top + rows.pop().getBoundingClientRect().bottom) / 2;
  };
  const [rows, place] = siblingsOf(dragged);
  if (rows[place - 1] && clientY < middle(rows[place - 1])) move(dragged, -1);
  else if (rows[place + 1] && clientY > middle(rows[place + 1])) move(dragged, 1);
});

document.addEventListener("pointerup", () => {
  if (dragged && orderOf(dragged).some((row, place) => row !== before[place])) save();
  end();
});

const putBack = () => {
  dragged?.parentElement.append(...before);
  end();
};
document.addEventListener("pointercancel", putBack);

let timer = 0;
const saveNow = () => {
  clearTimeout(timer);
  timer = 0;
  save();
};
addEventListener("pagehide", () => timer && saveNow());
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") putBack();
  const row = rowAt(event);
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!row || !step) return;
  event.preventDefault();
  move(row, step);
  // Several steps are one change.
  clearTimeout(timer);
  timer = setTimeout(saveNow, 300);
});
