"""News of other devices, on an idle device too: an open page shows them by itself, without the script the next page does."""
from playwright.sync_api import expect

from conftest import PATIENCE
from people import wait_until
from steps import rows, submit, visit
from test_accounts import sign_in
from test_sync import eventually_idle, in_step


def second_device(new_page, server, javascript=True):
    page = new_page(javascript=javascript)
    visit(page, server.url + "/sign-in")
    sign_in(page, server, "anna")
    eventually_idle(page, server, "/transactions")
    return page


def note(page, server, text):
    """Changes the note of the only entry."""
    visit(page, server.url + "/transactions")
    rows(page).get_by_role("link").first.click()
    editor = page.locator("main form:has([name=seen])")
    editor.locator("[name=note]").fill(text)
    submit(editor.get_by_role("button", name="Save").first)


def comes(page, url, found):
    """With the script the open page shows it; without, a page that is opened again and again."""
    def look():
        visit(page, url)
        return found()
    wait_until(look, "it on the page", PATIENCE)


def test_a_device_that_was_signed_out_elsewhere_is_locked_untouched(premium, new_page, javascript):
    first = new_page(size="desktop")
    in_step(first, premium)
    second = second_device(new_page, premium, javascript)
    visit(second, premium.url + "/")
    expect(second.locator("[data-cloud-label]").first).to_have_text("Backed up")
    visit(first, premium.url + "/settings/devices")
    submit(first.get_by_role("button", name="Sign out").first)
    words = "Sign in as anna@x.test to open this book"
    if javascript:
        expect(second.locator("h1")).to_have_text(words)
    else:
        comes(second, premium.url + "/", lambda: second.locator("h1").inner_text() == words)


def test_a_note_that_gave_way_is_told_and_put_back(apart, new_page, javascript):
    server, line, _ = apart
    first = new_page(javascript=javascript, size="desktop")
    in_step(first, server)
    second = second_device(new_page, server)
    line.is_cut = True
    note(first, server, "for Sunday")
    note(second, server, "for Monday")
    line.is_cut = False
    needs = first.locator("[data-needs=review]")

    def has_met():
        eventually_idle(second, server)
        visit(first, server.url + "/")
        return needs.count() or second.locator("[data-needs=review]").count()
    wait_until(has_met, "the two notes", PATIENCE)
    # The first note at the cloud is the one that is overwritten.
    loser, mine = (first, "for Sunday") if needs.count() else (second, "for Monday")
    expect(loser.locator("[data-needs=review]")).to_contain_text("1 of your changes was replaced by another device's.")
    expect(loser.locator("[data-badge=review]")).to_have_count(1)
    loser.locator("[data-needs=review]").get_by_role("link", name="Review").click()
    loss = rows(loser, "loss")
    expect(loss).to_contain_text(f"Yours: {mine}")
    submit(loss.get_by_role("button", name="Put mine back"))
    expect(loser.locator("[data-toast=loss-put-back]")).to_be_visible()
    expect(loss).to_have_count(0)
    other = second if loser is first else first
    comes(other, server.url + "/transactions", lambda: mine in other.locator("main").inner_text())
    expect(other.locator("[data-badge=review]")).to_have_count(0)


def test_a_change_of_what_another_device_deleted_is_told_and_brought_back(apart, new_page, javascript):
    server, line, _ = apart
    first = new_page(javascript=javascript, size="desktop")
    in_step(first, server)
    second = second_device(new_page, server)
    visit(second, f"{server.url}/transactions/{rows(second).first.get_attribute('data-id')}")
    line.is_cut = True
    note(first, server, "for Sunday")
    submit(second.locator("form[action$='/delete'] button").first)
    line.is_cut = False
    needs = first.locator("[data-needs=review]")
    comes(first, server.url + "/", needs.count)
    needs.get_by_role("link", name="Review").click()
    loss = rows(first, "loss")
    expect(loss).to_contain_text("deleted this while you changed it. It stays deleted unless you bring it back.")
    expect(loss).to_contain_text("Yours: for Sunday")
    submit(loss.get_by_role("button", name="Bring it back with my change"))
    comes(second, server.url + "/transactions", lambda: "for Sunday" in second.locator("main").inner_text())
    assert rows(second).count() == 1
