// The form of a new transaction, above the page on which it is asked for. Without the script it is a page of its own.

/** Shows the form at an address. A page with another form of a transaction is left: both have the same ids. */
const add = (address) => {
  if ($("#entry, [data-former-book]")) return visit(address);
  const page = { load, visit, connectFields, keepForLater, update, showNotices, announce };
  import(site.sheet).then(({ open }) => open(address, page)).catch(() => visit(address));
};

on(document, "click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.pathname !== site.new || link.closest("dialog, [data-repeats]")) return;
  // Files have been added to the entry: its page shows them.
  if (link.search.includes("once=") || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  add(link.href);
});
