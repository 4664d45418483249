// Forms on their way: each is sent once, and none is lost where the server cannot be reached.

// `data-busy` marks a form that has been sent; "go" lets it through, now that the server has answered.
on(document, "submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.busy) return form.dataset.busy === "go" || event.preventDefault();
  form.dataset.busy = "1";
  event.submitter?.setAttribute("aria-disabled", "true");
  if (!form.matches("[data-once], .toast form")) return;
  event.preventDefault();
  if (form.matches("[data-quick]")) return quickAdd(form);
  if (form.closest(".toast")) return undo(form);
  // The browser's own page for a server that is away would take the place of the form and of all that was typed.
  const sendNow = () => {
    form.dataset.busy = "go";
    form.requestSubmit(event.submitter);
  };
  fetch(site.health).then(sendNow, () => keepForLater(form));
});

// A page that comes back from the history can be sent again.
on(window, "pageshow", (event) => {
  $$("form[data-busy]").forEach(free);
  if (event.persisted) update();
});

function free(form) {
  delete form.dataset.busy;
  $$("[aria-disabled]", form).forEach((button) => (button.ariaDisabled = null));
}

function keepForLater(
  form,
  text = "Not saved: the server cannot be reached. Your entry is still in the form.",
) {
  free(form);
  say("offline", text);
}

/** Adds the entry of the short form, and shows the list with it and an empty form, without leaving the page. */
async function quickAdd(form) {
  const [response, page] = await send(form);
  if (!response) return keepForLater(form);
  const freshForm = $("#quick-add", page);
  if (!freshForm || (response.ok && !$("#list", page))) {
    // The page of a fault keeps the entry: the form is sent again, so that it is shown.
    return response.ok ? form.remove() || visit(response.url) : form.submit();
  }
  if (response.ok) {
    const [listResponse, listPage] = await loadThisPage();
    replaceParts(listResponse?.ok ? listPage : page, "#list", "#totals", ".cloud");
    showNotices(page);
    announce(page);
    // The next entry is often of the same day and account.
    for (const name of ["kind", "date", "account"]) {
      if (form[name].value) freshForm[name].value = form[name].value;
    }
  }
  form.replaceWith(freshForm);
  connectFields(freshForm);
  ($("[aria-invalid]", freshForm) || $("#payee", freshForm)).focus();
}

/** Undoes without leaving the page: an entry may have been begun on it. */
async function undo(form) {
  const [response, page] = await send(form);
  if (response?.ok && $(".toast", page)) {
    form.closest(".toast").remove();
    await update();
    announce(page);
  } else if (response && !isBeingEdited()) form.submit();
  else keepForLater(form, "Not undone yet: save your entry, or try again in a moment.");
}

/** Shows a page's toasts, and tells the other tabs that rows have changed. */
function announce(page) {
  otherTabs.postMessage(0);
  $$(".toast", page).forEach(showToast);
}

/** Shows a page's notices in place of those of this one. */
function showNotices(page) {
  $(".notices")?.remove();
  $("main > .head").after(...$$(".notices", page));
}
