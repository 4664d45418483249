"""A guest's first month, walked through in Chromium."""
import signal

import pytest
from playwright.sync_api import expect

from people import wait_until
from steps import body, onboard, record, rows, visit, walk_through_the_onboarding


@pytest.mark.without_script
def test_a_new_visitor_is_onboarded_and_finds_accounts_and_categories(page, server):
    walk_through_the_onboarding(page, server)
    visit(page, server.url + "/accounts")
    assert rows(page, "account").count() == 3
    visit(page, server.url + "/categories")
    assert rows(page, "category").count() >= 10
    assert body(page, "data-tier") == "guest"


@pytest.mark.without_script
def test_onboarding_resumes_at_the_first_step_not_done(page, server):
    visit(page, server.url + "/")
    page.click("form[action='/onboarding/welcome'] button")
    page.wait_for_url("**/onboarding/currency")
    visit(page, server.url + "/budgets")
    assert page.url.endswith("/onboarding/currency")


@pytest.mark.without_script
def test_what_was_entered_is_there_after_the_server_was_killed(page, server):
    onboard(page, server)
    record(page, server, amount="12.50", payee="Corner Bakery")
    server.stop(signal.SIGKILL)
    server.start()
    visit(page, server.url + "/transactions")
    assert rows(page).count() == 1
    assert "Corner Bakery" in rows(page).first.inner_text()
    assert rows(page).locator("[data-amount='-1250'][data-currency=EUR]").count() == 1


@pytest.mark.without_script
def test_a_transfer_moves_money_between_accounts(page, server):
    onboard(page, server)
    record(page, server, kind="income", amount="1000", payee="Work", account="Bank")
    record(page, server, kind="transfer", amount="40", account="Bank", to_account="Cash")
    visit(page, server.url + "/accounts")
    amounts = page.locator("[data-kind=account] [data-amount]").evaluate_all(
        "all => all.map(one => Number(one.dataset.amount))") if page.javascript else [
        int(one.get_attribute("data-amount")) for one in page.locator("[data-kind=account] [data-amount]").all()]
    assert sorted(amounts) == [0, 4000, 96000]


@pytest.mark.without_script
def test_a_deleted_transaction_comes_back_with_undo(page, server):
    onboard(page, server)
    record(page, server, payee="Twice Bakery")
    visit(page, server.url + "/transactions")
    identity = rows(page).first.get_attribute("data-id")
    visit(page, f"{server.url}/transactions/{identity}")
    page.locator(f"form[action='/transactions/{identity}/delete'] button").first.click()
    page.wait_for_url("**/transactions?*")
    assert rows(page).count() == 0
    page.locator(f"form[action='/transactions/{identity}/restore'] button").first.click()
    expect(rows(page)).to_have_count(1)
    visit(page, server.url + "/transactions")
    expect(rows(page)).to_have_count(1)


def test_an_undo_that_still_waits_to_be_sent_outlives_its_page(server, new_page):
    page = new_page()
    onboard(page, server)
    record(page, server, payee="Twice Bakery")
    visit(page, server.url + "/transactions")
    rows(page).get_by_role("link").first.click()
    page.locator("form[action$='/delete'] button").first.click()
    page.wait_for_url("**/transactions?*")
    expect(rows(page)).to_have_count(0)
    # As many answers as a browser waits for at a time: the next request stays in the browser.
    busy = page.context.new_page()
    visit(busy, server.url + "/help")
    busy.evaluate("() => Promise.all([...Array(6)].map(() => fetch('/events?local_only')))")
    page.locator("form[action$='/restore'] button").click(no_wait_after=True)
    expect(page.locator("form[action$='/restore'][data-busy]")).to_have_count(1)
    page.goto("about:blank")
    busy.close()
    wait_until(lambda: visit(page, server.url + "/transactions") and rows(page).count() == 1, "the entry is back")


@pytest.mark.without_script
def test_a_mistake_keeps_what_was_typed_and_says_where(page, server):
    onboard(page, server)
    visit(page, server.url + "/transactions/new")
    form = page.locator("form[action='/transactions']")
    form.locator("[name=amount]").fill("twelve")
    form.locator("[name=payee]").fill("Kept Payee")
    form.locator("[type=submit]").first.click()
    page.locator("[role=alert][data-field=amount]").first.wait_for()
    assert page.locator("[name=amount]").first.input_value() == "twelve"
    assert page.locator("[name=payee]").first.input_value() == "Kept Payee"


@pytest.mark.without_script
def test_quick_add_keeps_the_list_and_its_totals_together(page, server):
    onboard(page, server)
    visit(page, server.url + "/transactions")
    if not page.javascript or not page.locator("#quick-add").is_visible():
        return
    for count in (1, 2, 3):
        page.locator("#quick-add #amount").fill("5")
        page.locator("#quick-add #amount").press("Enter")
        expect(rows(page)).to_have_count(count)
        expect(page.locator("#quick-add #amount")).to_be_focused()
    expect(page.locator("#totals")).to_contain_text("3 transactions")
    expect(page.locator("#totals")).to_contain_text("15.00")
    # What is said again takes the place of what was said before.
    expect(page.locator("[data-toast=transaction-added]")).to_have_count(1)
