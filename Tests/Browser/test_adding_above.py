"""The form of a new transaction above the page on which it is asked for."""
import pytest
from playwright.sync_api import expect

from steps import onboard, record, rows, unfold, visit

ADD = "a[href='/transactions/new']"


def opened(page):
    """Opens the form by the button that each page has."""
    page.locator(f".bar {ADD}, .rail {ADD}").locator("visible=true").first.click()
    form = page.locator("dialog #entry")
    expect(form).to_be_visible()
    return form


def press(form, name):
    form.get_by_role("button", name=name, exact=True).click()


def is_gone(page):
    expect(page.locator("dialog")).to_have_count(0)


def loads(page):
    """The addresses of the documents that are loaded from now on."""
    loaded = []
    page.on("load", lambda _: loaded.append(page.url))
    return loaded


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("path", ["/", "/transactions", "/accounts", "/budgets"])
def test_an_entry_is_added_without_leaving_the_page(new_page, server, size, path):
    page = new_page(size=size)
    onboard(page, server)
    record(page, server, payee="Market", amount="7")
    visit(page, server.url + path)
    loaded = loads(page)
    form = opened(page)
    expect(form.locator("[name=payee]")).to_be_focused()
    form.locator("[name=payee]").fill("Brotzeit")
    form.locator("[name=amount]").fill("4.10")
    press(form, "Save")
    toast = page.locator("[data-toast=transaction-added]")
    expect(toast).to_contain_text("4.10 Brotzeit added")
    is_gone(page)
    assert page.url == server.url + path
    if path in ("/", "/transactions"):
        expect(page.locator("li[data-new]")).to_contain_text("Brotzeit")
    assert loaded == []
    toast.get_by_role("button", name="Undo").click()
    expect(toast).to_have_count(0)
    expect(rows(page).filter(has_text="Brotzeit")).to_have_count(0)
    visit(page, server.url + "/transactions")
    expect(rows(page)).to_have_count(1)


def escape(page):
    page.keyboard.press("Escape")


def go_back(page):
    page.evaluate("history.back()")


def press_close(page):
    page.get_by_role("button", name="Close, and keep what was typed").click()


@pytest.mark.parametrize("close", [escape, go_back, press_close])
def test_what_was_typed_is_kept_when_the_form_is_closed(new_page, server, close):
    page = new_page(size="phone")
    onboard(page, server)
    form = opened(page)
    form.locator("[name=amount]").fill("4.10")
    unfold(form)
    form.locator("[name=note]").fill("with Anna")
    close(page)
    is_gone(page)
    assert page.url == server.url + "/"
    form = opened(page)
    expect(form.locator("[name=amount]")).to_have_value("4.10")
    expect(form.locator("[name=note]")).to_have_value("with Anna")
    expect(form.locator("[data-resumed]")).to_be_visible()
    # Saved once, it is no draft any more.
    press(form, "Save")
    is_gone(page)
    expect(rows(page)).to_have_count(1)
    form = opened(page)
    expect(form.locator("[name=amount]")).to_have_value("")
    expect(form.locator("[data-resumed]")).to_be_hidden()


def test_a_form_that_is_left_with_its_page_is_kept_as_well(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    opened(page).locator("[name=payee]").fill("Brotzeit")
    visit(page, server.url + "/budgets")
    expect(opened(page).locator("[name=payee]")).to_have_value("Brotzeit")


def test_cancel_and_start_over_discard_what_was_typed(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    form = opened(page)
    form.locator("[name=payee]").fill("Brotzeit")
    form.get_by_role("link", name="Cancel").click()
    is_gone(page)
    form = opened(page)
    expect(form.locator("[name=payee]")).to_have_value("")
    form.locator("[name=payee]").fill("Brotzeit")
    escape(page)
    form = opened(page)
    expect(form.locator("[name=payee]")).to_have_value("Brotzeit")
    press(form, "Start over")
    expect(form.locator("[name=payee]")).to_have_value("")
    expect(form.locator("[data-resumed]")).to_be_hidden()
    escape(page)
    is_gone(page)
    expect(opened(page).locator("[name=payee]")).to_have_value("")


def test_errors_are_beside_their_fields_above_the_page(new_page, server):
    page = new_page(size="phone")
    onboard(page, server)
    loaded = loads(page)
    form = opened(page)
    form.locator("[name=payee]").fill("Brotzeit")
    form.locator("[name=amount]").fill("abc")
    press(form, "Save")
    expect(page.locator("dialog [role=alert][data-field=amount]")).to_be_visible()
    expect(page.locator("dialog #amount")).to_be_focused()
    expect(form.locator("[name=payee]")).to_have_value("Brotzeit")
    form.locator("[name=amount]").fill("4.10")
    press(form, "Save")
    is_gone(page)
    expect(rows(page)).to_have_count(1)
    assert loaded == []


def test_another_entry_has_the_same_day_and_account(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    visit(page, server.url + "/transactions")
    form = opened(page)
    yesterday = form.locator("[name=day]").nth(1)
    day = yesterday.get_attribute("value")
    yesterday.check(force=True)
    form.locator("[name=account]").select_option(label="Bank")
    form.locator("[name=payee]").fill("Market")
    form.locator("[name=amount]").fill("7")
    press(form, "Save and add another")
    toast = page.locator("dialog [data-toast=transaction-added]")
    expect(toast).to_contain_text("Market added")
    expect(form.locator("[name=payee]")).to_be_focused()
    expect(form.locator("[name=payee]")).to_have_value("")
    expect(form.locator("[name=day]:checked")).to_have_value(day)
    expect(form.locator("[name=account] option:checked")).to_have_text("Bank")
    # The list beneath has the first one already, and its toast is above everything.
    expect(rows(page).filter(has_text="Market")).to_have_count(1)
    toast.get_by_role("button", name="Undo").click()
    expect(rows(page).filter(has_text="Market")).to_have_count(0)
    escape(page)
    is_gone(page)


def test_a_receipt_is_added_on_the_page_of_the_form(new_page, server):
    page = new_page(size="phone")
    onboard(page, server)
    form = opened(page)
    form.locator("[name=payee]").fill("Brotzeit")
    unfold(form)
    form.get_by_role("link", name="Add a receipt").click()
    page.wait_for_url("**/transactions/new")
    expect(page.locator("main #entry [name=payee]")).to_have_value("Brotzeit")
    expect(page.locator("#receipts")).to_be_visible()


def test_a_link_fills_in_the_form_above_the_page(new_page, server):
    page = new_page(size="phone")
    onboard(page, server)
    visit(page, server.url + "/accounts")
    rows(page, "account").filter(has_text="Bank").locator("a").first.click()
    page.wait_for_url("**/accounts/*/transactions")
    page.locator("main").get_by_role("link", name="Add a transaction").click()
    form = page.locator("dialog #entry")
    expect(form.locator("[name=account] option:checked")).to_have_text("Bank")
    form.locator("[name=amount]").fill("7")
    press(form, "Save")
    is_gone(page)
    expect(rows(page)).to_have_count(1)


def test_a_server_that_is_away_leaves_the_form_open(new_page, server):
    page = new_page(size="phone")
    onboard(page, server)
    form = opened(page)
    form.locator("[name=amount]").fill("4.10")
    page.context.set_offline(True)
    press(form, "Save")
    expect(page.locator("dialog [data-toast=offline]")).to_be_visible()
    page.context.set_offline(False)
    press(form, "Save")
    is_gone(page)
    expect(rows(page)).to_have_count(1)


@pytest.mark.parametrize("height", [844, 400])
def test_save_stays_in_sight_above_the_page(new_page, server, height):
    page = new_page(size="phone")
    onboard(page, server)
    page.set_viewport_size({"width": 390, "height": height})
    form = opened(page)
    unfold(form)
    save = form.get_by_role("button", name="Save", exact=True)
    for field in (form.locator("[name=payee]"), form.locator("[name=tags]")):
        field.focus()
        box, pressed = field.bounding_box(), save.bounding_box()
        assert 0 <= pressed["y"] and pressed["y"] + pressed["height"] <= height
        assert box["y"] + box["height"] <= pressed["y"]
