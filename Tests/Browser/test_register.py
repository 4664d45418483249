"""The register of an account in Chromium."""
from playwright.sync_api import expect

from long_book import month
from steps import onboard, record, rows, submit, visit


def open_register(page, server, name):
    """From the list of accounts, as a person gets there."""
    visit(page, server.url + "/accounts")
    rows(page, "account").filter(has_text=name).locator("a").first.click()
    page.wait_for_url("**/accounts/*/transactions")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def balances(page):
    """The balances of the rows, newest first, in minor units."""
    return page.locator("[data-balance]").evaluate_all("all => all.map(one => Number(one.dataset.balance))")


def fill(page, server):
    record(page, server, kind="income", amount="1000", payee="Work", account="Bank", date=f"{month(1)}-01")
    record(page, server, amount="40", payee="Power", account="Bank", date=f"{month(1)}-02")
    record(page, server, kind="transfer", amount="200", account="Bank", to_account="Card", date=f"{month(1)}-03")


def test_an_entry_is_added_beside_the_register(page, server):
    onboard(page, server)
    fill(page, server)
    open_register(page, server, "Card")
    register = page.url
    quick = page.locator("#quick-add")
    if quick.is_visible():
        expect(quick.locator("[name=account] option:checked")).to_have_text("Card")
        quick.locator("[name=amount]").fill("12.50")
        quick.locator("[name=payee]").fill("Corner Bakery")
        quick.get_by_role("button", name="Add").click()
    else:
        page.locator("main").get_by_role("link", name="Add a transaction").click()
        form = page.locator("form[action='/transactions']")
        expect(form.locator("[name=account] option:checked")).to_have_text("Card")
        form.locator("[name=amount]").fill("12.50")
        form.locator("[name=payee]").fill("Corner Bakery")
        button = form.locator("[type=submit]").first
        # The form is above the register, which stays.
        button.click() if page.javascript else submit(button)
    expect(rows(page).filter(has_text="Corner Bakery")).to_have_count(1)
    assert page.url.split("#")[0] == register
    assert balances(page) == [18_750, 20_000]
    expect(page.locator("#totals")).to_contain_text("€187.50")


def test_an_open_register_shows_what_another_window_adds(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    fill(page, server)
    open_register(page, server, "Card")
    other = page.context.new_page()
    record(other, server, amount="50", payee="Shop", account="Card")
    expect(rows(page).filter(has_text="Shop")).to_have_count(1)
    expect(page.locator("#totals")).to_contain_text("€150.00")
    assert balances(page) == [15_000, 20_000]
