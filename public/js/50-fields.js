// Fields of a transaction that follow one another: a payee brings its category, an account its currency.

function connectFields(form) {
  const { kind, payee, category, account, currency, to_account, to_amount } = form?.elements || {};
  if (!payee || !category.options) return;

  let isCategoryChosen = category.value;
  on(category, "change", () => (isCategoryChosen = true));
  on(payee, "change", () => {
    const known = $$("#payees option", form).find((option) => option.value === payee.value);
    if (isCategoryChosen || !known?.dataset.category) return;
    category.value = known.dataset.category;
    // The first group is of expenses, the second of income.
    const group = $$("optgroup", category).indexOf(category.selectedOptions[0]?.parentElement);
    if (group >= 0) kind.value = group ? "income" : "expense";
    showWhatFits();
  });

  const currencyOf = (select) => select?.selectedOptions[0]?.dataset.currency;
  /** Offers the categories of the kind, and the second amount where two currencies meet. */
  const showWhatFits = () => {
    $$("optgroup", category).forEach((group, index) => {
      group.hidden = group.disabled = kind.value !== (index ? "income" : "expense");
    });
    if (category.selectedOptions[0]?.parentElement.disabled) category.value = "";
    const secondAmount = $("[data-second]", form);
    if (!secondAmount) return;
    const isNeeded =
      currencyOf(account) !== currency.value ||
      (kind.value === "transfer" && currencyOf(to_account) !== currency.value);
    secondAmount.hidden = !isNeeded && !to_amount.value;
    if (isNeeded) secondAmount.open = true;
  };
  on(account, "change", () => {
    if ($(`[value="${currencyOf(account)}"]`, currency)) currency.value = currencyOf(account);
  });
  on(form, "change", showWhatFits);
  showWhatFits();
}
$$("form").forEach(connectFields);

// Without a time zone the settings begin with that of the browser.
const timeZoneField = $("[data-zone]");
if (timeZoneField && !timeZoneField.value) {
  timeZoneField.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
