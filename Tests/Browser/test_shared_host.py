"""Two servers on one host, each below a path of its own, behind a reverse proxy."""
import pytest
from playwright.sync_api import expect

from conftest import Server
from people import PASSWORD
from shared_host import Caddy, Nginx
from steps import body, choose, rows, submit, visit


class Below:
    """A server behind the shared host, at the address that browsers have for it."""

    def __init__(self, host, folder, path):
        folder.mkdir()
        self.path = path
        self.server = Server(folder / "data", "--public-url", host.url + path, "--trusted-proxy", "127.0.0.1",
                             "--premium", "everyone")
        self.url = host.url + path


@pytest.fixture(params=[Nginx, Caddy], ids=["nginx", "caddy"])
def shared(request, tmp_path):
    folder = tmp_path / "proxy"
    folder.mkdir()
    host = request.param(folder)
    pair = [Below(host, tmp_path / name, f"/{name}") for name in ("home", "club")]
    try:
        host.serve({one.path: one.server.port for one in pair})
        yield pair
    finally:
        host.stop()
        for one in pair:
            one.server.stop()


def begin(page, below):
    """The onboarding, followed by the buttons of its pages alone."""
    visit(page, below.url)
    page.wait_for_url(below.url + "/onboarding/welcome")
    page.click("form[action$='/onboarding/welcome'] button")
    page.wait_for_url(below.url + "/onboarding/currency")
    choose(page, "currency", "EUR")
    page.click("form[action$='/onboarding/currency'] [type=submit]")
    page.wait_for_url(below.url + "/onboarding/secondary")
    page.click("form[action$='/onboarding/secondary'] [type=submit]")
    page.wait_for_url(below.url + "/onboarding/calendar")
    page.check("[name=week_start][value=monday]", force=True)
    page.click("form[action$='/onboarding/calendar'] [type=submit]")
    page.wait_for_url(below.url + "/")


def add(page, below, payee):
    page.get_by_role("link", name="Add", exact=False).locator("visible=true").first.click()
    form = page.locator(f"dialog form[action='{below.path}/transactions']")
    form.locator("[name=amount]").fill("12.50")
    form.locator("[name=payee]").fill(payee)
    form.locator("[type=submit]").first.click()
    # The page from which the form was reached has the new row.
    expect(rows(page).filter(has_text=payee)).to_have_count(1)
    assert page.url == below.url + "/"


def test_a_month_below_a_path_and_another_household_beside_it(page, shared):
    outside = []
    paths = tuple(one.path + "/" for one in shared)
    page.on("request", lambda request: outside.append(request.url) if not any(
        request.url.startswith(one.url) for one in shared) else None)
    for below, payee in zip(shared, ("Corner Bakery", "Club Bar")):
        begin(page, below)
        add(page, below, payee)
    # Both are in one browser, and neither has put the other out.
    for below, payee in zip(shared, ("Corner Bakery", "Club Bar")):
        visit(page, below.url + "/transactions")
        expect(rows(page)).to_have_count(1)
        assert payee in rows(page).first.inner_text()
    assert outside == []
    cookies = page.context.cookies()
    assert sorted(cookie["path"] for cookie in cookies) == sorted(paths), cookies
    assert len({cookie["name"] for cookie in cookies}) == 2
    is_tls = shared[0].url.startswith("https:")
    assert [cookie["secure"] for cookie in cookies] == [is_tls] * 2, cookies
    assert [cookie["name"].startswith("__Secure-") for cookie in cookies] == [is_tls] * 2, cookies


def test_the_script_finds_its_addresses_below_a_path(new_page, shared):
    home, _ = shared
    page, other = new_page(size="desktop"), new_page()
    begin(page, home)
    visit(page, home.url + "/sign-in")
    form = page.locator("form[action$='/sign-up']")
    form.locator("[name=email]").fill("anna@x.test")
    form.locator("[name=password]").fill(PASSWORD)
    submit(form.locator("[type=submit]").first)
    visit(page, home.url + "/")
    expect(page.locator("body[data-sync=idle]")).to_be_attached()
    # Another device of the same user.
    visit(other, home.url + "/sign-in")
    form = other.locator("form[action$='/sign-in']").first
    form.locator("[name=email]").fill("anna@x.test")
    form.locator("[name=password]").fill(PASSWORD)
    submit(form.locator("[type=submit]").first)
    # Keys of the help, through the addresses in the page.
    for keys, path in (("gt", "/transactions"), ("gh", "/history"), ("gb", "/budgets"), ("?", "/help"), ("go", "/")):
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_url(home.url + path)
    page.keyboard.press("/")
    page.wait_for_url(home.url + "/transactions#q")
    # The stream of events brings what the other device adds.
    visit(other, home.url + "/")
    expect(other.locator("body[data-sync=idle]")).to_be_attached()
    assert body(other, "data-tier") == "premium"
    visit(page, home.url + "/transactions")
    expect(rows(page)).to_have_count(0)
    add(other, home, "Corner Bakery")
    expect(rows(page)).to_have_count(1)


def test_signing_out_leaves_the_storage_of_other_apps(page, shared):
    home, _ = shared
    begin(page, home)
    visit(page, home.url + "/sign-in")
    form = page.locator("form[action$='/sign-up']")
    form.locator("[name=email]").fill("anna@x.test")
    form.locator("[name=password]").fill(PASSWORD)
    submit(form.locator("[type=submit]").first)
    visit(page, home.url + "/")
    expect(page.locator("body[data-sync=idle]")).to_be_attached()
    page.evaluate("localStorage.setItem('other-app', 'kept')")
    visit(page, home.url + "/sign-out")
    if page.locator("[name=confirm]").count():
        page.locator("[name=confirm]").fill(page.locator("[data-phrase]").inner_text())
    page.locator(f"form[action='{home.path}/sign-out'] [type=submit]").click()
    page.wait_for_url(home.url + "/onboarding/welcome")
    assert page.evaluate("localStorage.getItem('other-app')") == "kept"
