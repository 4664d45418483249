// Fields of a transaction that follow one another: a payee brings its category, an account its currency.

function connectFields(form) {
  const { kind, payee, category, account, currency, to_account, to_amount } = form.elements;
  if (!payee || !kind || !category.options) return;

  let isCategoryChosen = category.value;
  let isKindChosen = false;
  on(form, "change", ({ target }) => (isKindChosen ||= target.name === "kind"));
  on(category, "change", () => (isCategoryChosen = true));
  on(payee, "change", () => {
    const known = $$("#payees option", form).find((option) => option.value === payee.value);
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

// The average beside an empty limit is that of one category. Its link fills in the limit and keeps the other fields.
const average = $("p[data-category]");
if (average) {
  const { category, limit } = average.closest("form").elements;
  on(category, "change", () => (average.hidden = category.value !== average.dataset.category));
  on($("a", average), "click", (event) => {
    event.preventDefault();
    limit.value = new URLSearchParams(event.target.search).get("limit");
  });
}

// Without a time zone the settings begin with that of the browser.
const timeZoneField = $("[data-zone]");
if (timeZoneField && !timeZoneField.value) {
  timeZoneField.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
