// Fields of a transaction that follow one another: a payee brings its category, an account its currency.

function connectFields(form) {
  const { kind, payee, category, account, currency, to_account, to_amount } = form?.elements || {};
  if (!payee || !category.options) return;

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

/** Says what is left of the amount for the parts of a split, as long as all amounts are plain numbers. */
function connectParts(form) {
  const left = $("[data-left]", form);
  const { amount, decimal } = form.elements;
  const amounts = $$("[name=split_amount]", form);
  const sides = (text) =>
    text.replaceAll(/[\s']/g, "").replaceAll(decimal.value === "," ? "." : ",", "").split(decimal.value);
  const sayLeft = () => {
    const typed = [amount, ...amounts].map(({ value }) => value).filter(Boolean).map(sides);
    const digits = Math.max(...typed.map(([, cents = ""]) => cents.length));
    const [all, ...parts] = typed.map(([whole, cents = ""]) => `${whole}${cents.padEnd(digits, 0)}`);
    const isPlain = (text) => text.length < 3 && /^\d+$/.test(text.join(""));
    left.hidden = !amount.value || !parts.length || !typed.every(isPlain);
    if (left.hidden) return;
    const rest = parts.reduce((sum, part) => sum - BigInt(part), BigInt(all));
    const text = `${rest}`.replace("-", "").padStart(digits + 1, 0);
    const cents = digits ? decimal.value + text.slice(-digits) : "";
    left.textContent = left.dataset.left.replace(
      "%a", () => (rest < 0 ? "−" : "") + text.slice(0, text.length - digits) + cents);
  };
  on(form, "input", sayLeft);
  sayLeft();
}
$$("form:has([data-left])").forEach(connectParts);

// The average beside an empty limit is that of one category. Its link fills in the limit and keeps the other fields.
const average = $("p[data-category]");
if (average) {
  const { category, limit } = average.closest("form").elements;
  on(category, "change", () => (average.hidden = category.value !== average.dataset.category));
  on($("a", average), "click", (event) => {
    event.preventDefault();
    limit.value = new URL(event.currentTarget.href).searchParams.get("limit");
    limit.focus();
  });
}

// Without a time zone the settings begin with that of the browser.
const timeZoneField = $("[data-zone]");
if (timeZoneField && !timeZoneField.value) {
  timeZoneField.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
