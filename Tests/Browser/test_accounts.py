"""Every path of the sign-in and sign-out tables, clicked in Chromium."""
import sqlite3

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import PATIENCE, Server
from line import Line
from people import wait_until
from steps import body, onboard, record, rows, visit

PASSWORD = "correct horse battery"
ALL_IS_LOST = "I understand that all my data will be permanently lost"


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
    phrase = page.locator("[data-phrase]").inner_text()
    page.locator("[name=confirm]").fill(phrase)
    if page.locator("[name=password]").count():
        page.locator("[name=password]").fill(PASSWORD)
    page.locator(f"form[action='{path}'] [type=submit]").click()
    return phrase


def standing(page):
    return body(page, "data-state"), body(page, "data-tier")


def put_on_the_cloud(server, transactions):
    """What another device of the only user has uploaded."""
    with sqlite3.connect(server.folder / "cloud.sqlite", timeout=PATIENCE) as cloud:
        cloud.execute(
            "INSERT OR REPLACE INTO holdings (user, accounts, transactions, categories, changed_at) "
            "SELECT id, 3, ?, 25, 1795262400 FROM users", (transactions,))


@pytest.mark.without_script
def test_a_guest_becomes_a_user_and_a_fresh_guest_again(page, server):
    onboard(page, server)
    record(page, server, payee="Corner Bakery")
    visit(page, server.url + "/settings")
    page.locator("main").get_by_role("link", name="Sign in").click()
    expect(page.locator("[data-notice=replaces]")).to_contain_text("You have 1 entry on this device.")
    sign_up(page, server, "anna")
    assert standing(page) == ("local_only", "free")
    visit(page, server.url + "/transactions")
    assert rows(page).count() == 1
    visit(page, server.url + "/settings")
    expect(page.locator("main")).to_contain_text("Signed in as anna@x.test.")
    page.get_by_role("link", name="Sign out").click()
    expect(page.locator("main")).to_contain_text(
        "All your data will be permanently deleted. You have no cloud backup.")
    page.locator("[name=confirm]").fill("yes, really")
    page.locator("form[action='/sign-out'] [type=submit]").click()
    expect(page.locator("[role=alert][data-field=confirm]")).to_be_visible()
    assert confirm(page, "/sign-out") == ALL_IS_LOST
    page.wait_for_url("**/onboarding/welcome")
    assert standing(page) == ("onboarding", "guest")
    for path in ("/settings", "/transactions", "/sign-out"):
        visit(page, server.url + path)
        assert page.url.endswith("/onboarding/welcome"), "the way back shows nothing personal"
    onboard(page, server)
    visit(page, server.url + "/transactions")
    assert rows(page).count() == 0


def test_a_blocked_account_is_signed_out(server, new_page):
    first = new_page()
    onboard(first, server)
    sign_up(first, server, "anna")
    put_on_the_cloud(server, 812)
    page = new_page(javascript=False)
    sign_in(page, server, "anna")
    assert page.url.endswith("/blocked") and standing(page) == ("blocked_no_sync", "free")
    expect(page.locator("main")).to_contain_text(
        "You have data stored on this account that requires a subscription to access.")
    expect(page.locator("main")).to_contain_text("812 transactions")
    for path in ("/", "/transactions", "/settings", "/export/breadly.json"):
        visit(page, server.url + path)
        assert page.url.endswith("/blocked"), path
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/onboarding/welcome")


def test_a_blocked_account_starts_from_scratch(server, new_page):
    first = new_page()
    onboard(first, server)
    sign_up(first, server, "anna")
    put_on_the_cloud(server, 5)
    page = new_page(size="desktop")
    sign_in(page, server, "anna")
    page.locator("summary").click()
    confirm(page, "/blocked/delete-server-data")
    page.wait_for_url(server.url + "/")
    assert standing(page) == ("local_only", "free")
    visit(page, server.url + "/accounts")
    assert rows(page, "account").count() == 3


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


def comes_to(page, url, path):
    """Opens a page again and again, until it leads elsewhere: a device learns within a minute that it is locked."""
    def look():
        visit(page, url)
        return path in page.url
    wait_until(look, f"the way to {path}")


def test_a_device_is_signed_out_from_another_and_signs_in_again(server, new_page):
    first, second = new_page(), new_page(javascript=False)
    onboard(first, server)
    sign_up(first, server, "anna")
    sign_in(second, server, "anna")
    record(second, server, payee="Kept")
    visit(first, server.url + "/settings/devices")
    assert rows(first, "device").count() == 2
    first.get_by_role("button", name="Sign out", exact=False).first.click()
    expect(first.locator("[data-toast=device-signed-out]")).to_be_visible()
    expect(rows(first, "device").last).to_contain_text("book is locked")
    comes_to(second, server.url + "/transactions", "/sign-in")
    expect(second.locator("h1")).to_have_text("Sign in as anna@x.test to open this book")
    assert second.locator("form[action='/sign-up']").count() == 0
    assert "Kept" not in second.content()
    sign_in(second, server, "anna")
    visit(second, server.url + "/transactions")
    assert rows(second).count() == 1


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


def test_who_does_not_want_to_wait_goes_back_to_the_book_as_it_was(far, new_page):
    first = new_page()
    onboard(first, far)
    sign_up(first, far, "anna")
    page = new_page()
    onboard(page, far)
    record(page, far, payee="Mine")
    far.line.cut = {"/cloud/v1/account"}
    sign_in(page, far, "anna")
    assert page.get_by_role("button", name="Cancel").count() == 0, "only after half a minute"
    expect(page.get_by_role("button", name="Retry")).to_be_visible(timeout=45_000)
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_url(far.url + "/")
    assert standing(page) == ("local_only", "guest")
    visit(page, far.url + "/transactions")
    assert rows(page).count() == 1


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
