// Comfort: every page works without the script. Its files are served as one module, in the order of their names, so
// that they share what each declares at its top.

// This page, and the same page as the server has it now.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Listens to several events, their names with spaces between them. */
const on = (target, names, listener) =>
  names.split(" ").forEach((name) => target.addEventListener(name, listener));

/** What the server tells the script: its addresses, wherever it is served, and the state of the device and of sync. */
const site = document.body.dataset;

const visit = (address) => location.assign(address);

/** The response and its page; an empty array where the server cannot be reached. */
const load = (address, options) =>
  fetch(address, { headers: { Accept: "text/html" }, ...options })
    .then(async (response) => [
      response,
      new DOMParser().parseFromString(await response.text(), "text/html"),
    ])
    .catch(() => []);

/** This page anew. It is asked for quietly: it uses up no toast. */
const loadThisPage = () => load(location.href, { headers: { Accept: "text/html;quiet" } });

/** Sends a form; it still arrives where the page is left meanwhile. */
const send = (form) =>
  load(form.action, { method: "POST", keepalive: true, body: new URLSearchParams(new FormData(form)) });

/** Puts parts of another page, named by selectors, in the place of those of this one. */
const replaceParts = (page, ...selectors) =>
  selectors.forEach((selector) => {
    const part = $(selector, page);
    if (part) $(selector)?.replaceWith(part);
  });
