// The list of receipts and the page of sync follow the files on their way to the cloud. The rows of a list follow
// changes of the book without this script.

const $ = (selector, root = document) => root.querySelector(selector);

/** The parts of the page that show the state of files. */
const parts = ["#sync-state", "#list"];

const ownText = (element) =>
  [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join();

/** The address of a link or a button, by which it is found again. */
const targetOf = (element) =>
  element.getAttribute("formaction") ?? element.getAttribute("href") ?? element.form?.getAttribute("action");

/** Puts an element in the place of another one. The focus stays at the same link or button, or at the page. */
function replace(old, fresh) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const target = focused && targetOf(focused);
  old.replaceWith(fresh);
  if (!focused) return;
  const same = [...fresh.querySelectorAll("a, button")].find((element) => targetOf(element) === target);
  (same ?? $("main")).focus({ preventScroll: true });
}

/** Replaces only what differs, so that a button that is about to be pressed stays. */
function follow(old, fresh) {
  if (!old || !fresh || old.isEqualNode(fresh)) return;
  const [ours, theirs] = [[...old.children], [...fresh.children]];
  const isAlike =
    ours.length > 0 && ours.length === theirs.length && ownText(old) === ownText(fresh) &&
    old.cloneNode().isEqualNode(fresh.cloneNode());
  if (isAlike) ours.forEach((child, index) => follow(child, theirs[index]));
  else replace(old, fresh);
}

let isAsking = false;
let isDue = false;

async function refresh() {
  isDue = isAsking;
  if (isAsking) return;
  isAsking = true;
  // It uses up no toast.
  const options = { headers: { Accept: "text/html;quiet" } };
  const response = await fetch(location.href, options).catch(() => null);
  if (response?.ok && !response.redirected) {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // A form on its way brings another page.
    if (!$("[data-busy]")) parts.forEach((part) => follow($(part), $(part, page)));
  }
  isAsking = false;
  if (isDue) refreshSoon();
}

let timer;
const refreshSoon = () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 200);
};

// Each event with the status of sync sets these, also to the same values. One follows each step of a file.
new MutationObserver(refreshSoon)
  .observe(document.body, { attributes: true, subtree: true, attributeFilter: ["data-look", "data-sync"] });
