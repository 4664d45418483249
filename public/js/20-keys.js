// The keys that the help page lists.

// A letter counts as the second key for so long after "g".
const secondKeyMilliseconds = 1200;
let firstKeyTime = -Infinity;

on(document, "keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input, select, textarea, .tabs, .seg")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (!$("body.app") || $("dialog[open]")) return;
  const isSecondKey = event.timeStamp - firstKeyTime < secondKeyMilliseconds;
  const place = isSecondKey && site.places.split(/\s+/).find((item) => item[0] === event.key);
  if (place) return event.preventDefault(), visit(place.slice(2));
  const focusOr = (go, field, address) => {
    event.preventDefault();
    // A field without an offset parent is hidden at this width.
    field?.offsetParent ? field.focus() : go(address);
  };
  const follow = (link) => link && focusOr(visit, null, link.href);
  switch (event.key) {
    case "g": firstKeyTime = event.timeStamp; break;
    case "n": focusOr(add, $("#quick-add #payee"), site.new); break;
    case "/": focusOr(visit, $("#q"), site.search); break;
    case "ArrowLeft": follow($("[data-key=previous]")); break;
    case "ArrowRight": follow($("[data-key=next]")); break;
    case "?": focusOr(visit, null, site.help);
  }
});
if (location.hash === "#q") $("#q")?.focus();
