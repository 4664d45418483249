"""A device of a premium account, and two of them, whose open pages follow the sync."""
import re

from playwright.sync_api import expect

from conftest import PATIENCE
from long_book import Filler, month
from people import PASSWORD, wait_until
from steps import body, continue_as, record, rows, submit, visit
from test_accounts import sign_in, standing


def eventually_idle(page, server, path="/"):
    """Opens a page until it says that nothing waits."""
    visit(page, server.url + path)
    for _ in range(400):
        if body(page, "data-sync") == "idle" and body(page, "data-pending") == "0":
            return
        # The page of a download loads itself anew at its end: the test must not do so at the same time.
        page.locator("[data-download]").wait_for(state="detached")
        visit(page, server.url + path)
    raise AssertionError(f"still {body(page, 'data-sync')} with {body(page, 'data-pending')}")


def in_step(page, server):
    """Over HTTP, a guest with an entry creates an account, and all of it is uploaded; the browser continues from there."""
    anna = Filler(server)
    anna.onboard()
    anna.buy("Corner Bakery", "Groceries")
    anna.get("/sign-in")
    anna.send("/sign-up", email="anna@x.test", password=PASSWORD)
    anna.in_step()
    continue_as(page, server, anna)
    visit(page, server.url + "/")
    assert standing(page) == ("synced", "premium")


def make_a_large_account(server):
    """Anna's, with more rows than the first page of a download has."""
    anna = Filler(server)
    anna.onboard()
    account = anna.options("/transactions/new", "account")["Cash"]
    for number in range(110):
        anna.send("/transactions", kind="expense", date=f"{month(0)}-01", amount="1.00", currency="EUR", account=account,
                  payee=f"Shop {number}")
    anna.get("/sign-in")
    anna.send("/sign-up", email="anna@x.test", password=PASSWORD)
    anna.in_step()


def test_two_browsers_show_each_others_changes(premium, new_page, javascript):
    first = new_page(size="desktop")
    in_step(first, premium)
    second = new_page(javascript=javascript)
    visit(second, premium.url + "/")
    second.get_by_role("link", name="Sign in").click()
    sign_in(second, premium, "anna")
    eventually_idle(second, premium, "/transactions")
    assert standing(second) == ("synced", "premium")
    expect(rows(second)).to_have_count(1)
    expect(second.locator("main")).to_contain_text("Corner Bakery")
    # What one adds, the other sees: by itself, or after a reload.
    record(first, premium, amount="7.00", payee="Tram")
    if javascript:
        expect(rows(second)).to_have_count(2)
    else:
        eventually_idle(first, premium)
        for _ in range(400):
            visit(second, premium.url + "/transactions")
            if rows(second).count() == 2:
                break
    expect(second.locator("main")).to_contain_text("Tram")
    # And what one deletes is gone from the other.
    rows(second).filter(has_text="Tram").get_by_role("link").first.click()
    submit(second.locator("form[action$='/delete'] button").first)
    eventually_idle(second, premium)
    visit(first, premium.url + "/transactions")
    expect(rows(first)).to_have_count(1)


def test_a_device_that_was_signed_out_elsewhere_is_locked_untouched(premium, new_page):
    first, second = new_page(size="desktop"), new_page()
    in_step(first, premium)
    visit(second, premium.url + "/sign-in")
    sign_in(second, premium, "anna")
    eventually_idle(second, premium)
    expect(second.locator("[data-cloud-label]").first).to_have_text("Backed up")
    visit(first, premium.url + "/settings/devices")
    submit(first.get_by_role("button", name="Sign out").first)
    expect(second.locator("h1")).to_have_text("Sign in as anna@x.test to open this book")


def test_a_device_that_is_cut_off_goes_on_and_catches_up(apart, new_page):
    server, line, _ = apart
    page = new_page(size="desktop")
    in_step(page, server)
    line.is_cut = True
    record(page, server, amount="3.00", payee="Kiosk")
    visit(page, server.url + "/sync")
    row = rows(page, "operation")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Kiosk €3.00 added")
    expect(row).to_contain_text("waiting less than a minute")
    page.locator("main form[action='/sync/retry'] button").click()
    expect(page.locator("body")).to_have_attribute("data-sync", "offline")
    expect(page.locator("body")).to_have_attribute("data-pending", "1")
    expect(page.locator("[data-cloud-label]").first).to_have_text("Offline")
    page.locator(".cloud").click()
    retry = page.locator("#cloud-sheet").get_by_role("button", name="Retry")
    expect(retry).to_be_visible()
    line.is_cut = False
    # By itself, within seconds.
    expect(page.locator("body")).to_have_attribute("data-sync", "idle")
    # The sheet is still open, and offers nothing to try again.
    expect(page.locator("#cloud-sheet")).to_be_visible()
    expect(retry).to_be_hidden()
    page.reload()
    expect(page.locator("main")).to_contain_text("All caught up")


def test_an_open_page_says_what_its_header_says(apart, new_page):
    server, line, _ = apart
    page = new_page(size="desktop")
    in_step(page, server)
    settings, other = page, page.context.new_page()
    visit(settings, server.url + "/settings")
    settings.evaluate("window.isOld = true")
    settings.locator("[name=time_zone]").fill("Europe/Zurich")
    settings.locator(".cloud").click()
    sheet = settings.locator("#cloud-sheet")
    line.is_cut = True
    record(other, server, amount="3.00", payee="Kiosk")
    panel = settings.locator("section:has(#sync)")
    expect(panel).to_contain_text("You have unsynced data.")
    expect(panel).to_contain_text("1 change that waits here is uploaded first.")
    expect(sheet.get_by_role("button", name="Retry")).to_be_visible()
    line.is_cut = False
    expect(settings.locator("body")).to_have_attribute("data-sync", "idle")
    expect(panel).not_to_contain_text("You have unsynced data.")
    expect(panel).not_to_contain_text("uploaded first")
    expect(sheet).to_be_visible()
    expect(settings.locator("[name=time_zone]")).to_have_value("Europe/Zurich")
    assert settings.evaluate("window.isOld"), "the page was not loaded anew"


def test_signing_out_waits_for_what_is_not_sent(apart, new_page):
    server, line, _ = apart
    page = new_page()
    in_step(page, server)
    line.is_cut = True
    record(page, server, amount="3.00", payee="Kiosk")
    visit(page, server.url + "/sync")
    page.locator("main form[action='/sync/retry'] button").click()
    expect(page.locator("body")).to_have_attribute("data-sync", "offline")
    visit(page, server.url + "/sign-out")
    expect(page.locator("main")).to_contain_text(
        "Cannot upload unsynced data. You have 1 unsynced transaction. These will be lost if you sign out now.")
    expect(page.locator("main")).to_contain_text("Kiosk €3.00 added")
    expect(page.locator("[data-phrase]")).to_have_text("I understand 1 change will be lost")
    page.get_by_role("button", name="Sign out when everything is uploaded").click()
    line.is_cut = False
    page.wait_for_url("**/onboarding/welcome")
    # All of it comes back at the next sign-in.
    visit(page, server.url + "/sign-in")
    sign_in(page, server, "anna")
    eventually_idle(page, server, "/transactions")
    expect(rows(page)).to_have_count(2)


def test_a_download_is_shown_and_can_be_dismissed(apart, new_page, javascript):
    server, line, _ = apart
    make_a_large_account(server)
    second = new_page(javascript=javascript)
    visit(second, server.url + "/sign-in")
    # The first page lets the user in.
    line.hold("snapshot=", after=1)
    sign_in(second, server, "anna")
    assert line.is_held.wait(PATIENCE)
    visit(second, server.url + "/")
    expect(second.locator("h1")).to_have_text("Downloading your data...")
    expect(second.locator("progress[max]")).to_be_visible()
    expect(second.locator("[data-progress-text]")).to_have_text(re.compile("^100 of 1[0-9]{2}$"))
    second.get_by_role("button", name="Go to my book").click()
    expect(second.locator("main h1")).not_to_have_text("Downloading your data...")
    expect(second.locator("body")).to_have_attribute("data-sync", "downloading")
    expect(second.locator("[data-cloud-label]").first).to_have_text("Downloading")
    missing = second.locator("main [data-incomplete]")
    expect(missing).to_contain_text("Your data is arriving: 100 of 1")
    # Without a network each page names the rows that are missing, and entries are kept.
    line.is_cut = True
    line.hold(None)
    told = "are here. The rest comes when there is a connection."
    wait_until(lambda: visit(second, server.url + "/transactions") and told in missing.inner_text(), "the rows that are missing")
    record(second, server, payee="Meanwhile")
    for path in ("/", "/budgets", "/accounts", "/reports", "/sync"):
        visit(second, server.url + path)
        expect(missing).to_contain_text(told)
        expect(second.locator("main")).not_to_contain_text("All caught up")
        expect(second.locator("main")).not_to_contain_text("No income written down")
    line.is_cut = False
    eventually_idle(second, server, "/")
    expect(missing).to_have_count(0)
    visit(second, server.url + "/transactions?q=Meanwhile")
    expect(rows(second)).to_have_count(1)
    visit(second, server.url + "/transactions?q=Shop")
    expect(second.locator("#totals")).to_contain_text("110 transactions")
    visit(second, server.url + "/download")
    expect(second.locator("h1")).not_to_have_text("Downloading your data...")


def test_a_download_whose_line_is_cut_says_so_on_the_open_page(apart, new_page, javascript):
    server, line, _ = apart
    make_a_large_account(server)
    second = new_page(javascript=javascript)
    visit(second, server.url + "/sign-in")
    line.hold("snapshot=", after=1)
    sign_in(second, server, "anna")
    assert line.is_held.wait(PATIENCE)
    visit(second, server.url + "/download")
    told = "The cloud cannot be reached at the moment. The download will continue automatically."
    expect(second.locator("main")).not_to_contain_text(told)
    expect(second.locator("[data-trouble]")).to_be_hidden()
    other = second.context.new_page()
    visit(other, server.url + "/help")
    missing = other.locator("main [data-incomplete]")
    icon = missing.locator("use")
    expect(icon).to_have_attribute("href", re.compile("#cloud-sync$"))
    line.is_cut = True
    line.hold(None)
    # Without a reload by the user.
    expect(second.locator("[data-trouble]")).to_have_text(told)
    if javascript:
        expect(missing).to_contain_text("The rest comes when there is a connection.")
        label = other.locator(".cloud").get_attribute("data-look")
        assert label != "sync"
        expect(icon).to_have_attribute("href", re.compile(f"#cloud-{label}$"))
    other.close()
    line.is_cut = False
    second.wait_for_url(lambda url: not url.endswith("/download"))
    expect(second.locator("main")).not_to_contain_text(told)


def test_a_cloud_that_never_answers_holds_nobody_up(apart, new_page):
    server, line, _ = apart
    page = new_page(size="desktop")
    in_step(page, server)
    line.hold("/push")
    record(page, server, amount="3.00", payee="Kiosk")
    assert line.is_held.wait(20)
    for path in ("/", "/transactions", "/reports", "/sync"):
        visit(page, server.url + path)
        assert body(page, "data-pending") == "1", path
    expect(rows(page, "operation")).to_contain_text("Kiosk €3.00 added")
    # Neither a stop nor a kill at that moment loses it.
    server.stop(9)
    line.hold(None)
    server.start()
    eventually_idle(page, server, "/transactions")
    expect(rows(page)).to_have_count(2)
