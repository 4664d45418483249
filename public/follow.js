// The parts of a page that say where data and files are follow the header, and the files on their way to the cloud. The
// rows of a list follow changes of the book without this script.

const $ = (selector, root = document) => root.querySelector(selector);

/** The sheet of the header, and what pages say at more length. */
const partsOf = (root) => [...root.querySelectorAll("[data-current]")];

const ownText = (element) =>
  [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join();

/** The address of a link or a button, by which it is found again. */
const targetOf = (element) =>
  element.getAttribute("formaction") ?? element.getAttribute("href") ?? element.form?.getAttribute("action");

/** Puts an element in the place of another one. The focus stays at the same link or button, or at the page. What was opened
 * stays, with what is typed in it. */
function replace(old, fresh) {
  if (old.open || $("[open]", old)) return;
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const target = focused && targetOf(focused);
  const isOpen = old.matches(":popover-open");
  old.replaceWith(fresh);
  if (isOpen) fresh.showPopover();
  if (!focused) return;
  const same = [...fresh.querySelectorAll("a, button")].find((element) => targetOf(element) === target);
  (same ?? $("main")).focus({ preventScroll: true });
}

/** Replaces only what differs, so that a button that is about to be pressed stays. */
function follow(old, fresh) {
  if (!fresh || old.isEqualNode(fresh)) return;
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
    const fresh = partsOf(new DOMParser().parseFromString(await response.text(), "text/html"));
    // A form on its way brings another page.
    if (!$("[data-busy]")) partsOf(document).forEach((part, index) => follow(part, fresh[index]));
  }
  isAsking = false;
  if (isDue) refreshSoon();
}

let timer;
const refreshSoon = () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 200);
};

/** What the header says. Its sheet has other buttons in another state only, and the parts of some pages repeat its words. */
const said = () => {
  const words = ["[data-cloud-label]", "[data-cloud-text]"].map((selector) => $(selector)?.textContent);
  const { pending } = document.body.dataset;
  return $("main [data-current]") ? words + pending : $(".cloud[data-look=alert], .cloud[data-look=slash]") && words[0];
};
let before = said();

// Each event with the status of sync sets these, also to the same values. One follows each step of a file.
new MutationObserver(() => {
  const now = said();
  if (now !== before || $("[data-current=files]")) refreshSoon();
  before = now;
}).observe(document.body, { attributes: true, subtree: true, attributeFilter: ["data-look", "data-sync"] });
