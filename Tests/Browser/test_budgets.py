"""Budgets in Chromium."""
import pytest
from playwright.sync_api import expect

from long_book import month
from steps import onboard, record, submit, visit


@pytest.mark.without_script
def test_the_average_beside_a_limit_is_that_of_the_chosen_category(page, server):
    onboard(page, server)
    for back in (1, 2, 3):
        record(page, server, amount="30", payee="Shop", category="Groceries", date=f"{month(back)}-05")
    visit(page, server.url + "/budgets")
    form = page.locator("form[action='/budgets']")
    hint = form.locator("p[data-category]")
    expect(hint).to_contain_text("All spending: €30.00 a month on average")
    form.locator("[name=rollover]").check()
    use = hint.get_by_role("button", name="Use it")
    if page.javascript:
        form.locator("[name=category]").select_option(label="Groceries")
        expect(hint).to_be_hidden()
        form.locator("[name=category]").select_option("")
        use.click()
    else:
        submit(use)
    expect(form.locator("[name=limit]")).to_have_value("30.00")
    expect(form.locator("[name=rollover]")).to_be_checked()


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
