// Toasts: they go by themselves, later where they have a button, and not under the pointer or the focus.

const fadeLater = (toast) => {
  let timer;
  const start = () => {
    timer = setTimeout(() => toast.remove(), $("form", toast) ? 15_000 : 6_000);
  };
  on(toast, "pointerenter focusin", () => clearTimeout(timer));
  on(toast, "pointerleave focusout", start);
  start();
};

/** Shows a toast in the place of one with the same key. */
const showToast = (toast) => {
  $(`[data-toast="${toast.dataset.toast}"]`)?.remove();
  $("#toasts").append(toast);
  fadeLater(toast);
};

const say = (key, text) => {
  const toast = Object.assign(document.createElement("div"), { className: "toast", innerHTML: "<p>" });
  toast.dataset.toast = key;
  toast.firstChild.textContent = text;
  showToast(toast);
};

$$(".toast").forEach(fadeLater);
// Other scripts show theirs.
on(document, "toast", ({ detail }) => showToast(detail));
