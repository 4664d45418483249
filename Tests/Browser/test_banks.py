"""A bank beside one's own book, clicked in Chromium: on one device, and on two."""
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from bank import Bank
from conftest import Server
from people import wait_until
from steps import onboard, rows, submit, visit
from test_accounts import sign_in, sign_up


@pytest.fixture
def bank():
    running = Bank()
    yield running
    running.stop()


@pytest.fixture
def house(bank, tmp_path):
    running = Server(tmp_path / "data", "--premium", "everyone", "--simplefin", bank.host)
    yield running
    running.stop()


def connect(page, house, bank, name):
    """Connects the bank with a setup token, and waits until it is read."""
    visit(page, house.url + "/banks/connect")
    page.fill("[name=setup_token]", bank.token(name))
    submit(page.get_by_role("button", name="Connect with SimpleFIN"))
    wait_until(lambda: visit(page, house.url + "/banks") and
               page.locator("[data-bank-state=connected] [data-kind=bank-account]").count(), "the bank is read")


def is_sound(page):
    found = Axe().run(page).response["violations"]
    assert [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]] == []
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0, f"{page.url} scrolls sideways by {width}"


def bank_rows(page):
    return page.locator("[data-kind=transaction][data-bank]")


@pytest.mark.without_script
def test_a_bank_is_joined_written_on_and_recorded(page, house, bank):
    onboard(page, house)
    sign_up(page, house, "anna")
    connect(page, house, bank, "one")
    page.get_by_role("link", name="Choose accounts").click()
    page.wait_for_url("**/accounts")
    expect(page.locator("select[name=account-chk]")).to_have_value("new")
    if page.javascript:
        is_sound(page)
    submit(page.get_by_role("button", name="Save"))
    account = rows(page, "account").filter(has_text="Checking")
    expect(account).to_contain_text("as of today")
    expect(account.locator("[data-amount='98765']")).to_be_visible()

    visit(page, house.url + "/transactions?month=all")
    expect(bank_rows(page)).to_have_count(3)
    expect(page.locator("[data-bank=pending]")).to_contain_text("Pending")
    if page.javascript:
        is_sound(page)
    bank_rows(page).filter(has_text="Green Market").get_by_role("link").click()
    page.wait_for_url("**/banks/rows/*")
    expect(page.get_by_text("GREEN MARKET 8080")).to_be_visible()
    if page.javascript:
        is_sound(page)
    page.fill("[name=payee]", "Market")
    page.select_option("[name=category]", label="Groceries")
    submit(page.get_by_role("button", name="Save"))
    row = bank_rows(page).filter(has_text="Market")
    expect(row).to_contain_text("Groceries")

    row.get_by_role("link").click()
    page.wait_for_url("**/banks/rows/*")
    submit(page.get_by_role("button", name="Record"))
    expect(bank_rows(page)).to_have_count(2)
    expect(rows(page, "transaction").filter(has_text="Market")).to_have_count(1)

    bank_rows(page).filter(has_text="Payroll").get_by_role("link").click()
    page.wait_for_url("**/banks/rows/*")
    submit(page.get_by_role("button", name="Hide"))
    expect(bank_rows(page)).to_have_count(1)

    visit(page, house.url + "/banks")
    page.locator("details", has_text="Disconnect").locator("summary").click()
    expect(page.get_by_text("stays in your book with its transaction")).to_be_visible()
    submit(page.get_by_role("button", name="Disconnect now"))
    visit(page, house.url + "/accounts")
    expect(rows(page, "account").filter(has_text="Checking")).to_contain_text("Reconnect")
    visit(page, house.url + "/transactions?month=all")
    expect(rows(page, "transaction")).to_have_count(1)


def test_another_device_finds_the_same_account_and_the_writing(house, bank, new_page):
    first, second = new_page(), new_page(size="desktop")
    onboard(first, house)
    sign_up(first, house, "anna")
    connect(first, house, bank, "one")
    first.get_by_role("link", name="Choose accounts").click()
    submit(first.get_by_role("button", name="Save"))
    visit(first, house.url + "/transactions?month=all")
    bank_rows(first).filter(has_text="Green Market").get_by_role("link").click()
    first.wait_for_url("**/banks/rows/*")
    first.fill("[name=payee]", "Market")
    submit(first.get_by_role("button", name="Save"))

    sign_in(second, house, "anna")
    wait_until(lambda: visit(second, house.url + "/accounts") and
               rows(second, "account").filter(has_text="Checking").count(), "the account arrives")
    account = rows(second, "account").filter(has_text="Checking")
    expect(account).to_contain_text("Reconnect")
    expect(account).not_to_contain_text("987.65")
    visit(second, house.url + "/transactions?month=all")
    expect(rows(second, "transaction")).to_have_count(0)

    connect(second, house, bank, "two")
    visit(second, house.url + "/accounts")
    expect(rows(second, "account").filter(has_text="Checking")).to_have_count(1)
    expect(rows(second, "account").filter(has_text="Checking")).to_contain_text("as of today")
    wait_until(lambda: visit(second, house.url + "/transactions?month=all") and
               bank_rows(second).filter(has_text="Market").count(), "the rows of the bank")
    expect(bank_rows(second)).to_have_count(3)
    wait_until(lambda: visit(second, house.url + "/transactions?month=all") and
               not bank_rows(second).filter(has_text="Green Market").count(), "the writing arrives")
