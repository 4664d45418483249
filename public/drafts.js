// Forms that are left half filled: the tab keeps what was typed, and the form has it again when its page is back.

const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const { book, events } = document.body.dataset;
/** The forms that say when they show what was typed before. */
const forms = () => $$("[data-resumed]").map((note) => note.closest("form"));
const [visit] = performance.getEntriesByType("navigation");

/** The names of all drafts of this server begin so: another one may have the same origin. */
const prefix = `draft ${events} `;

/** Neither secrets nor the token of the session are kept, and a browser lets no script choose a file. */
const isKept = ({ name, type }) =>
  name && !["password", "file"].includes(type) && !["csrf", "confirm", "setup_token"].includes(name);

const fieldsOf = (form) => $$("input, select, textarea", form).filter(isKept);
const isTick = ({ type }) => type === "checkbox" || type === "radio";
const read = (form) =>
  fieldsOf(form).map((field) =>
    isTick(field) ? [field.name, field.value, field.checked] : [field.name, field.value],
  );
const textOf = (form) => JSON.stringify(read(form));

/** A form as the server has shown it. */
const shown = (form) => {
  const copy = form.cloneNode(true);
  copy.reset();
  return textOf(copy);
};

const onceOf = (form) => form.elements.once?.value ?? "";
const nameOf = (form, once = onceOf(form)) => `${prefix}${form.getAttribute("action")} ${once}`;
const stored = (name) => JSON.parse(sessionStorage.getItem(name));
const store = (name, draft) => {
  try {
    sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // The browser has no room for it.
  }
};

/** Whether a draft is of a form. A short and a long form may be sent to the same address. */
const isOf = (form) => ({ name, id, once }) => id === form.id && name === nameOf(form, once);

/** The content of forms that counts as untouched, where it is not as the server has shown it. */
const untouched = new WeakMap();
const resumed = new WeakSet();
/** The forms with a draft, some of which may have been replaced since. */
const kept = new Set();

const isTyped = (form) =>
  resumed.has(form) || "typed" in form.dataset || textOf(form) !== (untouched.get(form) ?? shown(form));

/** Takes a form as it is for one in which nothing was typed. */
const forget = (form) => {
  resumed.delete(form);
  delete form.dataset.typed;
  untouched.set(form, textOf(form));
};

/** A form on its way is a draft until the page that follows shows whether it has arrived. */
const isSent = (form) =>
  form.dataset.busy === "go" || Boolean(form.dataset.busy && form.closest("[data-quick], dialog"));

const keep = () => {
  for (const form of new Set([...kept, ...forms()])) {
    if (form.isConnected && isTyped(form)) {
      const [id, once, at] = [form.id, onceOf(form), Date.now()];
      store(nameOf(form), { book, id, once, at, isSent: isSent(form), fields: read(form) });
      kept.add(form);
    } else sessionStorage.removeItem(nameOf(form));
  }
  // The page of a fault sends a form again.
  for (const form of $$("form[data-once]").filter(isSent)) {
    const draft = stored(nameOf(form));
    if (draft) store(nameOf(form), { ...draft, isSent: true });
  }
};

const drafts = () =>
  Object.keys(sessionStorage)
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ ...stored(name), name }));

/** Removes drafts of other books, and each that the form itself has answered. A redirect has removed its own already. */
const tidy = () => {
  const answers = $$("form[data-typed]").map(isOf);
  for (const draft of drafts()) {
    const hasArrived = draft.isSent && answers.some((isAnswer) => isAnswer(draft));
    if (draft.book !== book || hasArrived) sessionStorage.removeItem(draft.name);
    else if (draft.isSent) store(draft.name, { ...draft, isSent: false });
  }
};

/** The latest draft of a form; of a form that the address asks for by its id, that one. */
const draftOf = (form) => {
  const query = new URLSearchParams(location.search);
  // The address fills in the form.
  if (query.has("limit") || query.has("like") || "prefilled" in form.dataset) return null;
  const asked = query.get("once");
  return drafts()
    .filter((draft) => isOf(form)(draft) && (!asked || asked === draft.once))
    .sort((one, other) => one.at - other.at)
    .pop();
};

/** Makes rows for as many parts as were shown. */
const addRows = (form, fields) => {
  const count = fields.filter(([name]) => name === "split_amount").length;
  for (let number = $$(".part-row", form).length; number && number < count; number += 1) {
    const last = $$(".part-row", form).pop();
    const next = last.outerHTML
      .replaceAll(`-${number}"`, `-${number + 1}"`)
      .replace(/<legend>.*?<\/legend>/s, (legend) => legend.replace(number, number + 1));
    last.insertAdjacentHTML("afterend", next);
  }
};

const fill = (form, fields) => {
  addRows(form, fields);
  const free = fieldsOf(form);
  for (const [name, value, isOn] of fields) {
    const place = free.findIndex(
      (field) => field.name === name && (isTick(field) ? field.value === value : isOn === undefined),
    );
    if (place < 0) continue;
    const [field] = free.splice(place, 1);
    // An account or a category may be gone.
    if (field.options && !$$("option", field).some((option) => option.value === value)) continue;
    if (isTick(field) ? field.checked === isOn : field.value === value) continue;
    if (isTick(field)) field.checked = isOn;
    else field.value = value;
    // A day that is no day was typed where the field took any text.
    if (field.value !== value) Object.assign(field, { type: "text", value });
    if (field.type !== "hidden") field.closest("details")?.setAttribute("open", "");
  }
};

/** The files beside a new transaction belong to the id of its form. */
const moveFiles = (former, once) =>
  $$("#receipts, #receipts [data-uploads]").forEach(({ dataset }) => {
    for (const name of ["page", "once"]) {
      if (former && dataset[name]) dataset[name] = dataset[name].replace(former, once);
    }
  });

const resume = (form, { once, fields }) => {
  // Files were added to it: its own page has both.
  const [link] = $$(`[data-unsaved="${once}"] a`);
  if (link) return location.replace(link.href);
  const former = onceOf(form);
  fill(form, fields);
  moveFiles(former, once);
  resumed.add(form);
  kept.add(form);
  // No news of the server may take its place.
  form.isTouched = true;
  // The other fields follow a choice, as if it were made now; a category that was chosen stays.
  const chosen = $$("[name=kind]:checked, [name=category], [name=split_category]", form);
  for (const field of [form, ...chosen.filter(({ value }) => value)]) {
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  $$("[data-resumed]", form).forEach((note) => (note.hidden = false));
};

const resumeDraft = (form) => {
  const draft = draftOf(form);
  if (draft && !isTyped(form)) resume(form, draft);
};

tidy();
const present = new WeakSet(forms());
for (const form of forms()) {
  // The browser itself has filled in a form that was saved before.
  if (visit && visit.type !== "navigate") untouched.set(form, textOf(form));
  resumeDraft(form);
}

// A fresh form in the place of a sent one may begin with its day and its account.
document.addEventListener("focusin", ({ target: { form } }) => {
  if (form?.matches("[data-once]") && !present.has(form) && !untouched.has(form)) untouched.set(form, textOf(form));
});

document.addEventListener("click", ({ target }) => {
  const discards = target.closest("[data-discards], [data-start-over]");
  const form = discards?.closest("form");
  if (!form) return;
  if (discards.matches("a")) return forget(form);
  form.reset();
  form.dispatchEvent(new Event("change", { bubbles: true }));
  forget(form);
  // The page as the server shows it now. The one beneath a form stays.
  if (form.closest("dialog")) $$("[data-resumed]", form).forEach((note) => (note.hidden = true));
  else location.replace(location.pathname + location.search);
});

// A form above a page comes and goes. One that is in no page any more was saved, or replaced by one with its values.
document.addEventListener("formshown", ({ detail: form }) => resumeDraft(form));
document.addEventListener("formleft", ({ detail: form }) => {
  if (form.isConnected) keep();
  else sessionStorage.removeItem(nameOf(form));
  kept.delete(form);
});

addEventListener("pagehide", keep);
document.addEventListener("visibilitychange", () => document.hidden && keep());
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  // It was saved or discarded on another page meanwhile.
  forms().filter((form) => !stored(nameOf(form))).forEach(forget);
});

// The average beside an empty limit is that of one category. Its button, which would ask the server, fills it in here.
for (const average of $$("p[data-category]")) {
  const { category, limit, suggested } = average.closest("form").elements;
  const show = () => (average.hidden = category.value !== average.dataset.category);
  category.addEventListener("change", show);
  show();
  suggested.type = "button";
  suggested.addEventListener("click", () => (limit.value = suggested.value));
}
