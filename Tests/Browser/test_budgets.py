"""Budgets in Chromium: with and without the script, on a phone and at a desk."""
import pytest
from playwright.sync_api import expect

from long_book import month
from steps import onboard, record, rows, submit, visit


def set_budget(page, server, limit, first, category="Groceries"):
    visit(page, server.url + "/budgets")
    form = page.locator("form[action='/budgets']")
    form.locator("[name=category]").select_option(label=category)
    form.locator("[name=limit]").fill(limit)
    form.locator("[name=from]").fill(first)
    submit(form.locator("button.primary[type=submit]"))


def test_a_limit_changes_from_this_month_on(page, server):
    onboard(page, server)
    set_budget(page, server, "50", month(3))
    visit(page, server.url + "/budgets")
    page.get_by_role("link", name="Edit the budget for Groceries").click()
    expect(page.locator("input[name=since][value=now]")).to_be_checked()
    page.locator("[name=limit]").fill("70")
    submit(page.locator("button.primary[type=submit]"))
    visit(page, server.url + "/budgets")
    expect(rows(page, "budget")).to_contain_text("of €70.00 spent")
    page.locator("[data-key=previous]").click()
    expect(rows(page, "budget").first).to_contain_text("of €50.00 spent")


def test_a_refund_reduces_its_category_and_the_number_opens_it(page, server):
    onboard(page, server)
    set_budget(page, server, "50", month(0))
    record(page, server, amount="20", payee="Shop", category="Groceries")
    record(page, server, kind="income", amount="5", payee="Shop", category="Groceries")
    visit(page, server.url + "/budgets")
    expect(rows(page, "budget")).to_contain_text("€15.00 of €50.00 spent")
    page.get_by_role("link", name="€15.00", exact=True).click()
    expect(rows(page)).to_have_count(2)
    expect(rows(page).filter(has_text="Refund")).to_have_count(1)


def test_a_suggestion_is_taken_with_one_click(page, server):
    onboard(page, server)
    for back in (1, 2, 3):
        record(page, server, amount="30", payee="Shop", category="Groceries", date=f"{month(back)}-05")
    visit(page, server.url + "/budgets")
    page.locator("a[data-suggestion]").filter(has_text="Groceries").click()
    form = page.locator("form[action='/budgets']")
    expect(form.locator("[name=limit]")).to_have_value("30.00")
    submit(form.locator("button.primary[type=submit]"))
    visit(page, server.url + "/budgets")
    expect(rows(page, "budget")).to_contain_text("Groceries")


def test_the_average_beside_a_limit_is_that_of_the_chosen_category(page, server):
    onboard(page, server)
    for back in (1, 2, 3):
        record(page, server, amount="30", payee="Shop", category="Groceries", date=f"{month(back)}-05")
    visit(page, server.url + "/budgets")
    form = page.locator("form[action='/budgets']")
    hint = form.locator("p[data-category]")
    expect(hint).to_contain_text("All spending: €30.00 a month on average")
    if not page.javascript:
        return
    form.locator("[name=rollover]").check()
    form.locator("[name=category]").select_option(label="Groceries")
    expect(hint).to_be_hidden()
    form.locator("[name=category]").select_option("")
    hint.get_by_role("link", name="Use it").click()
    expect(form.locator("[name=limit]")).to_have_value("30.00")
    expect(form.locator("[name=rollover]")).to_be_checked()


@pytest.mark.without_script
def test_the_form_says_which_amount_it_asks_for(page, server):
    onboard(page, server)
    if not page.javascript:
        # The answer to a form without the amount says it.
        visit(page, server.url + "/transactions/new")
        page.locator("[name=account]").select_option(label="Card")
        page.locator("[name=currency]").select_option("USD")
        page.locator("[name=amount]").fill("5")
        submit(page.locator("form[action='/transactions'] [type=submit]").first)
        expect(page.get_by_label("Charged to Card, in EUR")).to_be_visible()
        return
    visit(page, server.url + "/transactions/new")
    page.locator("[name=account]").select_option(label="Card")
    page.locator("[name=currency]").select_option("USD")
    expect(page.get_by_label("Charged to Card, in EUR")).to_be_visible()
    page.locator("[name=kind][value=income]").check(force=True)
    expect(page.get_by_label("Received on Card, in EUR")).to_be_visible()
    expect(page.get_by_text("With a category of spending, income is a refund")).to_be_visible()


def test_the_page_of_budgets_fits_its_screen(page, server):
    onboard(page, server)
    set_budget(page, server, "50", month(3))
    record(page, server, amount="80", payee="Shop", category="Groceries")
    visit(page, server.url + "/budgets")
    expect(rows(page, "budget")).to_contain_text("€30.00 over budget")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("link", name="Edit the budget for Groceries").click()
    expect(page.get_by_role("button", name="End it with")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
