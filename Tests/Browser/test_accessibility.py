"""Every page through axe-core, without a violation."""
import pytest
from axe_playwright_python.sync_playwright import Axe

from bank import Bank
from conftest import Server
from people import wait_until
from steps import onboard, record, rows, submit, visit
from test_accounts import sign_up

PAGES = ["/", "/transactions", "/transactions?select=on", "/payees",
         "/transactions/new", "/accounts", "/accounts/order", "/categories", "/categories/order", "/budgets",
         "/schedules", "/reports",
         "/reports?group=month", "/reports?group=flow", "/reports?group=worth",
         "/reports?compare=previous", "/rates", "/settings", "/banks", "/history", "/status",
         "/attachments", "/attachments/deleted",
         "/no-such-page"]


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


def violations(page):
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def check(page, server, path):
    """A page has no violation, and does not scroll sideways."""
    visit(page, server.url + path)
    assert violations(page) == [], path
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0, f"{path} scrolls sideways by {width}"


@pytest.mark.parametrize("page", [("phone", True), ("desktop", True)], indirect=True, ids=["phone", "desktop"])
def test_no_page_has_an_axe_violation(page, server):
    visit(page, server.url + "/")
    assert violations(page) == []
    onboard(page, server)
    record(page, server, payee="Corner Bakery", category="Groceries")
    visit(page, server.url + "/accounts")
    first, second = (rows(page, "account").nth(place).get_attribute("data-id") for place in (0, 1))
    account = f"/accounts/{first}"
    for path in [*PAGES, account, f"{account}/transactions", f"{account}/move", f"{account}/move?to={second}"]:
        check(page, server, path)


@pytest.mark.parametrize("page", [("phone", True), ("desktop", True)], indirect=True, ids=["phone", "desktop"])
def test_no_page_of_a_bank_has_an_axe_violation(page, house, bank):
    onboard(page, house)
    sign_up(page, house, "anna")
    check(page, house, "/banks/connect")
    connect(page, house, bank, "one")
    page.get_by_role("link", name="Choose accounts").click()
    page.wait_for_url("**/banks/*/accounts")
    choices = page.url.removeprefix(house.url)
    submit(page.get_by_role("button", name="Save"))
    account = rows(page, "account").filter(has_text="Checking").get_attribute("data-id")
    visit(page, house.url + "/transactions?month=all")
    pending, booked = (page.locator(f"[data-bank={state}]").first.get_attribute("data-id")
                       for state in ("pending", "booked"))
    for path in ["/banks", choices, "/", "/transactions?month=all", f"/banks/rows/{pending}", f"/banks/rows/{booked}",
                 f"/accounts/{account}", f"/accounts/{account}/transactions", f"/accounts/{account}/record-bank",
                 "/reports?group=flow", "/reports?group=worth"]:
        check(page, house, path)
    visit(page, f"{house.url}/banks/rows/{booked}")
    submit(page.get_by_role("button", name="Record"))
    check(page, house, f"/banks/rows/{booked}")
