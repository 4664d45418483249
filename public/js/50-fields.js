// Amounts, and fields of a transaction that follow one another: a payee brings its category, an account its currency.

const hasKeypad = matchMedia("(pointer: coarse)").matches;

/** The server's rule: neither case, compatibility forms nor white space make two payees of one. */
const nameKey = (text) => text.normalize("NFKC").toUpperCase().trim().replace(/\s+/g, " ");

function connectFields(form) {
  if (hasKeypad) $$("[data-sum]", form).forEach((field) => (field.inputMode = "decimal"));
  const { kind, payee, category, account, currency, to_account, to_amount } = form.elements;
  // The filters of a register have such fields too, and no account.
  if (!payee || !kind || !account || !category.options) return;

  let isCategoryChosen = category.value || $("[data-split]", form);
  let isKindChosen = false;
  on(form, "change", ({ target }) => (isKindChosen ||= target.name === "kind"));
  on(category, "change", () => (isCategoryChosen = true));
  on(payee, "change", () => {
    const known = $$("#payees option", form).find(({ value }) => nameKey(value) === nameKey(payee.value));
    if (isCategoryChosen || !known?.dataset.category) return;
    category.value = known.dataset.category;
    // The first group is of expenses, the second of income. Income that was chosen may be a refund.
    const group = $$("optgroup", category).indexOf(category.selectedOptions[0]?.parentElement);
    if (group > 0 || (group === 0 && !(isKindChosen && kind.value === "income"))) {
      kind.value = group ? "income" : "expense";
    }
    showWhatFits();
  });

  const currencyOf = (select) => select?.selectedOptions[0]?.dataset.currency;
  /** Offers the categories of the kind, and the second amount where two currencies meet. */
  const showWhatFits = () => {
    $$("optgroup", category).forEach((group, index) => {
      group.hidden = group.disabled = index > 0 && kind.value !== "income";
    });
    if (category.selectedOptions[0]?.parentElement.disabled) category.value = "";
    // The page hides what a transfer does not have: it is not sent, and is back with another kind. One with an error
    // is shown, and waits to be emptied.
    $$("[data-only=category] :is(input, select)", form).forEach(
      (field) => (field.disabled = kind.value === "transfer" && !field.ariaInvalid),
    );
    const secondAmount = $("[data-second]", form);
    if (!secondAmount) return;
    const isNeeded =
      currencyOf(account) !== currency.value ||
      (kind.value === "transfer" && currencyOf(to_account) !== currency.value);
    secondAmount.hidden = !isNeeded && !to_amount.value;
    // "Charged to Card, in EUR": the words of the kind, with the account and its currency.
    const end = (kind.value === "transfer" ? to_account : account).selectedOptions[0];
    const label = $("[data-other]", form);
    if (isNeeded && end && label.dataset[kind.value]) {
      label.textContent = label.dataset[kind.value]
        .replace("%a", () => end.textContent).replace("%c", () => end.dataset.currency);
    }
    if (isNeeded) secondAmount.open = true;
  };
  on(account, "change", () => {
    if ($(`[value="${currencyOf(account)}"]`, currency)) currency.value = currencyOf(account);
  });
  on(form, "change", showWhatFits);
  showWhatFits();
}
$$("form").forEach(connectFields);

// The keypad of a phone has digits only: its signs are below the amount that has the focus. Without the script there
// is the whole keyboard.
const signs = document.createElement("p");
signs.className = "acts";
signs.innerHTML = [..."−+×÷"].map((sign) => `<button type="button" class="btn">${sign}</button>`).join("");
const showSigns = ({ target }) => {
  if (hasKeypad && target.matches("[data-sum]")) (target.closest(".money") || target).after(signs);
};
on(document, "focusin", showSigns);
showSigns({ target: document.activeElement });
// The field keeps the focus, and with it the keypad.
on(signs, "mousedown", (event) => event.preventDefault());
on(signs, "click", ({ target }) => {
  const field = $("[data-sum]", signs.parentElement);
  if (target !== signs) field.setRangeText(target.textContent, field.selectionStart, field.selectionEnd, "end");
});

// Without a time zone the settings begin with that of the browser, which counts as shown and not as typed.
const timeZoneField = $("[data-zone]");
if (timeZoneField && !timeZoneField.value) {
  timeZoneField.defaultValue = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
