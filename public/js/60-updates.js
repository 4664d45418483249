// Updates of a page that is being read: they keep its place, the focus, and whatever is typed.

const otherTabs = new BroadcastChannel(site.events);

// The page of a refused form shows what was typed, which the page asked for anew would not.
const isRefusal = performance.getEntriesByType("navigation")[0]?.responseStatus > 399;

on(document, "input", ({ target }) => {
  if (target.form) target.form.isTouched = true;
});

const isBeingEdited = () =>
  document.activeElement?.matches("input, select, textarea") ||
  $$("form[method=post] :is(input, textarea)").some(
    (field) => field.form.isTouched || field.value !== field.defaultValue,
  );

/** Brings the rows of a list up to date; all of the page where it has no list and the user is not at work in it. */
async function update() {
  const [response, page] = isRefusal ? [] : await loadThisPage();
  if (response?.redirected) return reload();
  if (!response?.ok) return;

  const main = $("main");
  // What the user has folded or unfolded stays so.
  const folds = (root) => $$("main details", root).map(({ open }) => open).join();
  const isFoldedAnew = folds(document) !== folds(page);
  const isFixed = $("#list, main [data-stays]") || isFoldedAnew;
  const isWhole = !isFixed && !isBeingEdited() && !main.contains(document.activeElement);
  // The row at the top of the window stays where it is.
  const topRow = $$("main [data-id]").find((row) => row.getBoundingClientRect().bottom > 0);
  const rowNamed = (id) => $(`main [data-id="${id}"]`);
  const topOf = (row) => row?.getBoundingClientRect().top;
  const topBefore = topOf(topRow);
  const focusedID = document.activeElement?.closest("[data-id]")?.dataset.id;

  isWhole ? replaceParts(page, "main") : replaceParts(page, "#list", "#totals");
  if (!$(".cloud:focus")) replaceParts(page, ".cloud");
  if (isWhole) $$("main form").forEach(connectFields);
  scrollBy(0, topOf(rowNamed(topRow?.dataset.id)) - topBefore || 0);
  if (focusedID) $("a", rowNamed(focusedID) || main)?.focus({ preventScroll: true });
}

let updateTimer;
/** Several changes at once make one update. */
const updateSoon = () => {
  clearTimeout(updateTimer);
  updateTimer = setTimeout(update, 60);
};

let leftAt = 0;
on(window, "beforeunload", () => (leftAt = Date.now()));

/** Loads the page anew, except while it is being left, a form is on its way, or something is being typed. */
const reload = () => {
  if ($("[data-busy]") || Date.now() - leftAt < 5_000) return;
  if (isBeingEdited()) {
    return say("changed", "Something has changed meanwhile. Reload the page once you are done.");
  }
  // A button that is pressed now would only lose the toast of the page that comes.
  document.body.inert = true;
  setTimeout(() => (document.body.inert = false), 5_000);
  location.reload();
};

on(otherTabs, "message", updateSoon);
// A toast tells of a change that the other tabs do not show yet.
if ($(".toast")) otherTabs.postMessage(0);
