"""Every page through axe-core, without a violation."""
import pytest
from axe_playwright_python.sync_playwright import Axe

from steps import onboard, record, rows, visit

PAGES = ["/", "/transactions", "/transactions/new", "/accounts", "/categories", "/budgets", "/schedules", "/reports",
         "/reports?group=month", "/reports?group=flow", "/reports?group=worth",
         "/reports?compare=previous", "/rates", "/settings", "/banks", "/history", "/status", "/no-such-page"]


def violations(page):
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("page", [("phone", True), ("desktop", True)], indirect=True, ids=["phone", "desktop"])
def test_no_page_has_an_axe_violation(page, server):
    visit(page, server.url + "/")
    assert violations(page) == []
    onboard(page, server)
    record(page, server, payee="Corner Bakery", category="Groceries")
    visit(page, server.url + "/accounts")
    account = f"/accounts/{rows(page, 'account').first.get_attribute('data-id')}"
    for path in [*PAGES, account, f"{account}/transactions", f"{account}/move"]:
        visit(page, server.url + path)
        assert violations(page) == [], path
        width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert width <= 0, f"{path} scrolls sideways by {width}"
