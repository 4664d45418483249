"""A bank in Europe, with its own consent page, beside one's own book: clicked in Chromium on two devices."""
import pytest
from playwright.sync_api import expect

from conftest import Server
from people import wait_until
from steps import onboard, rows, submit, visit
from test_accounts import sign_in, sign_up
from test_accessibility import violations
from truelayer import TrueLayer


@pytest.fixture
def bank():
    running = TrueLayer()
    yield running
    running.stop()


@pytest.fixture
def house(bank, tmp_path):
    running = Server(tmp_path / "data", "--premium", "everyone", *bank.options(tmp_path))
    yield running
    running.stop()


def bank_rows(page):
    return page.locator("[data-kind=transaction][data-bank]")


def connect(page, house):
    """Consents on the page of the bank, and waits until it is read."""
    visit(page, house.url + "/banks/connect")
    submit(page.locator("[data-provider=truelayer] button"))
    assert violations(page) == []
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0, f"{page.url} scrolls sideways by {width}"
    page.locator("a[rel=noreferrer]").click()
    page.get_by_role("link", name="Allow").click()
    page.wait_for_url(house.url + "/banks")
    wait_until(lambda: visit(page, house.url + "/banks") and
               page.locator("[data-bank-state=connected] [data-kind=bank-account]").count(), "the bank is read")


def shows(page, house, text, count=1):
    wait_until(lambda: visit(page, house.url + "/transactions?month=all") and
               bank_rows(page).filter(has_text=text).count() == count, f"{count} of {text}")


def test_each_device_consents_and_the_writing_follows_what_the_bank_names_anew(house, bank, new_page):
    first, second = new_page(), new_page(size="desktop")
    onboard(first, house)
    sign_up(first, house, "anna")
    connect(first, house)
    first.get_by_role("link", name="Choose accounts").click()
    submit(first.get_by_role("button", name="Save"))
    account = rows(first, "account").filter(has_text="Club Account")
    expect(account).to_contain_text("as of today")
    expect(account.locator("[data-amount='123456']")).to_be_visible()

    shows(first, house, "Coffee")
    bank_rows(first).filter(has_text="Coffee").get_by_role("link").click()
    first.wait_for_url("**/banks/rows/*")
    first.fill("[name=note]", "with Ben")
    # The bank books it under another name while the note is being typed.
    bank.booked.append(TrueLayer.row("t9", 1, -3.2, "Coffee"))
    bank.pending.clear()
    other = first.context.new_page()
    visit(other, house.url + "/banks")
    submit(other.get_by_role("button", name="Refresh"))
    shows(other, house, "Pending", 0)
    submit(first.get_by_role("button", name="Save"))
    expect(bank_rows(first).filter(has_text="Coffee")).to_contain_text("with Ben")

    # Another device sees what synced, and nothing of the bank until it has a consent of its own.
    sign_in(second, house, "anna")
    wait_until(lambda: visit(second, house.url + "/accounts") and
               rows(second, "account").filter(has_text="Club Account").count(), "the account arrives")
    expect(rows(second, "account").filter(has_text="Club Account")).to_contain_text("Reconnect")
    expect(rows(second, "account").filter(has_text="Club Account")).not_to_contain_text("1,234.56")
    connect(second, house)
    visit(second, house.url + "/accounts")
    expect(rows(second, "account").filter(has_text="Club Account")).to_have_count(1)
    expect(rows(second, "account").filter(has_text="Club Account")).to_contain_text("1,234.56")
    shows(second, house, "with Ben")
    expect(bank_rows(second)).to_have_count(3)

    # The end of one consent is that of one device.
    visit(first, house.url + "/banks")
    first.locator("details", has_text="Disconnect").locator("summary").click()
    submit(first.get_by_role("button", name="Disconnect now"))
    wait_until(lambda: len(bank.revoked) == 1, "the consent is ended")
    visit(first, house.url + "/transactions?month=all")
    expect(rows(first, "transaction")).to_have_count(0)
    visit(second, house.url + "/banks")
    submit(second.get_by_role("button", name="Refresh"))
    expect(second.locator("[data-bank-state=connected]")).to_have_count(1)

    # A new consent ends the former one.
    visit(second, house.url + "/banks")
    connection = second.locator("[data-kind=bank-connection]").get_attribute("data-id")
    visit(second, f"{house.url}/banks/connect?connection={connection}")
    submit(second.locator("[data-provider=truelayer] button"))
    second.locator("a[rel=noreferrer]").click()
    second.get_by_role("link", name="Allow").click()
    second.wait_for_url(house.url + "/banks")
    wait_until(lambda: len(bank.revoked) == 2, "the former consent is ended")
    shows(second, house, "with Ben")
