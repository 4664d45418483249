"""Signing in with pages that continue by themselves, and what axe finds on all pages of an account."""
import sqlite3

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import PATIENCE, Server
from line import Line
from steps import body, onboard, record, visit

PASSWORD = "correct horse battery"


def sign_up(page, server, name):
    visit(page, server.url + "/sign-in")
    form = page.locator("form[action='/sign-up']")
    form.locator("[name=email]").fill(f"{name}@x.test")
    form.locator("[name=password]").fill(PASSWORD)
    form.get_by_role("button").click()
    page.wait_for_url(lambda url: "/sign-" not in url)


def sign_in(page, server, name):
    visit(page, server.url + "/sign-in")
    form = page.locator("form[action='/sign-in']")
    form.locator("[name=email]").fill(f"{name}@x.test")
    form.locator("[name=password]").fill(PASSWORD)
    form.get_by_role("button").click()
    page.wait_for_url(lambda url: "/sign-in" not in url)


def confirm(page, path):
    """Types what the page asks for, and sends it."""
    page.locator("[name=confirm]").fill(page.locator("[data-phrase]").inner_text())
    if page.locator("[name=password]").count():
        page.locator("[name=password]").fill(PASSWORD)
    page.locator(f"form[action='{path}'] [type=submit]").click()


def standing(page):
    return body(page, "data-state"), body(page, "data-tier")


def put_on_the_cloud(server, transactions):
    """What another device of the only user has uploaded."""
    with sqlite3.connect(server.folder / "cloud.sqlite", timeout=PATIENCE) as cloud:
        cloud.execute(
            "INSERT OR REPLACE INTO holdings (user, accounts, transactions, categories, changed_at) "
            "SELECT id, 3, ?, 25, 1795262400 FROM users", (transactions,))


def test_a_blocked_account_is_subscribed(server, new_page):
    first = new_page()
    onboard(first, server)
    sign_up(first, server, "anna")
    put_on_the_cloud(server, 5)
    page = new_page()
    sign_in(page, server, "anna")
    page.get_by_role("link", name="Subscribe").click()
    expect(page.locator("main")).to_contain_text("breadly grant anna@x.test --forever")
    server.run("grant", "anna@x.test", "--forever")
    # The page learns it by itself. A button that is pressed at that moment leads to a page without the message.
    expect(page.locator("[data-toast=premium-activated]")).to_contain_text("Premium activated! Cloud sync is on.")
    assert standing(page) == ("synced", "premium")
    # The end of the download does not load the page anew, with which the message would go.
    page.evaluate("window.isTheSame = true")
    expect(page.locator("body[data-sync=idle]")).to_be_visible()
    expect(page.locator("[data-incomplete]")).to_have_count(0)
    assert page.evaluate("window.isTheSame")


@pytest.fixture
def far(tmp_path):
    """A server whose cloud is elsewhere, behind a line that can be cut."""
    cloud = Server(tmp_path / "cloud", command="cloud")
    line = Line(cloud.url)
    server = Server(tmp_path / "data", "--cloud", line.url)
    server.line, server.cloud = line, cloud
    yield server
    server.stop()
    line.stop()
    cloud.stop()


def test_a_cloud_that_does_not_answer_is_waited_for(far, new_page):
    first = new_page()
    onboard(first, far)
    sign_up(first, far, "anna")
    page = new_page(javascript=False)
    onboard(page, far)
    record(page, far, payee="Mine")
    far.line.cut = {"/cloud/v1/account"}
    sign_in(page, far, "anna")
    assert page.url.endswith("/verifying") and body(page, "data-state") == "verifying_account"
    visit(page, far.url + "/transactions")
    assert page.url.endswith("/verifying"), "the app is closed meanwhile"
    far.line.cut = set()
    # The request is repeated and the page continues, both by themselves.
    page.wait_for_url(far.url + "/")
    assert standing(page) == ("local_only", "free")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_no_page_of_an_account_has_an_axe_violation(server, new_page, size):
    page = new_page(size=size)
    onboard(page, server)
    record(page, server, payee="Bakery")

    def look(path):
        visit(page, server.url + path)
        found = Axe().run(page).response["violations"]
        assert [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]] == [], path
        assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0, path

    for path in ("/sign-in", "/subscription"):
        look(path)
    sign_up(page, server, "anna")
    for path in ("/", "/settings", "/settings/devices", "/settings/password", "/subscription", "/sign-out",
                 "/account/delete"):
        look(path)
    put_on_the_cloud(server, 5)
    other = new_page(size=size)
    sign_in(other, server, "anna")
    found = Axe().run(other).response["violations"]
    assert [one["id"] for one in found] == []
