"""A guest's list of transactions, with the script of its forms."""
from playwright.sync_api import expect

from people import wait_until
from steps import onboard, record, rows, visit


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


def test_quick_add_keeps_the_list_and_its_totals_together(new_page, server):
    # A phone has a button instead of the short form.
    page = new_page(size="desktop")
    onboard(page, server)
    visit(page, server.url + "/transactions")
    for count in (1, 2, 3):
        page.locator("#quick-add #amount").fill("5")
        page.locator("#quick-add #amount").press("Enter")
        expect(rows(page)).to_have_count(count)
        expect(page.locator("#quick-add #payee")).to_be_focused()
        # The new row is marked, and no other.
        expect(rows(page).and_(page.locator("[data-new]"))).to_have_count(1)
        expect(rows(page).first).to_have_attribute("data-new", "")
    expect(page.locator("#totals")).to_contain_text("3 transactions")
    expect(page.locator("#totals")).to_contain_text("15.00")
    # What is said again takes the place of what was said before.
    expect(page.locator("[data-toast=transaction-added]")).to_have_count(1)
