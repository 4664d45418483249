// The script of a device's pages has this at its end. It reports the words in each part that a person opens: the marks
// of a journey come from what was read.

// A page that says that its process is starting again, and holds nothing that was typed, looks again in a moment.
const again = document.querySelector("[data-status='503'] .btn.primary");
if (again?.href && !document.querySelector("form, .typed")) setTimeout(() => location.replace(again.href), 5000);

const opened = site.events.replace(/events$/, "opened");
const watched = new WeakSet();

const report = (part) =>
  part.matches(":popover-open, details[open]") &&
  navigator.sendBeacon(opened, new URLSearchParams({ words: part.textContent.slice(0, 20000) }));

const read = (part) => {
  report(part);
  if (watched.has(part)) return;
  watched.add(part);
  // Its words change while it is open.
  new MutationObserver(() => report(part)).observe(part, { subtree: true, childList: true, characterData: true });
};

document.addEventListener("toggle", ({ target }) => read(target), true);
// Those that were opened before this script has come.
document.querySelectorAll(":popover-open, details[open]").forEach(read);
