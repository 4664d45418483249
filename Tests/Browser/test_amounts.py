"""Amounts on a phone, whose keypad has digits and no signs."""
import pytest
from playwright.sync_api import expect

from steps import onboard, rows, submit, visit


def new_account(page, server):
    visit(page, server.url + "/accounts")
    form = page.locator("form[action='/accounts']")
    form.locator("[name=name]").fill("House")
    form.locator("[name=type]").select_option("loan")
    return form


def expect_debt(page, server):
    visit(page, server.url + "/accounts")
    expect(rows(page, "account").filter(has_text="House")).to_contain_text("−€500.00")


@pytest.mark.parametrize("width", [320, 390])
def test_a_debt_is_typed_with_the_sign_below_the_field(server, new_page, width):
    page = new_page(touch=True)
    page.set_viewport_size({"width": width, "height": 844})
    onboard(page, server)
    form = new_account(page, server)
    opening = form.locator("[name=opening]")
    expect(opening).to_have_attribute("inputmode", "decimal")
    opening.tap()
    form.get_by_role("button", name="−", exact=True).tap()
    expect(opening).to_be_focused()
    page.keyboard.type("500")
    expect(opening).to_have_value("−500")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    submit(form.locator("button.primary[type=submit]"))
    expect_debt(page, server)


def test_the_signs_follow_the_focus_and_insert_at_the_caret(server, new_page):
    page = new_page(touch=True)
    onboard(page, server)
    visit(page, server.url + "/transactions/new")
    form = page.locator("form[action='/transactions']")
    form.locator("[name=amount]").tap()
    page.keyboard.type("123")
    page.keyboard.press("ArrowLeft")
    form.get_by_role("button", name="+", exact=True).tap()
    page.keyboard.type("4×")
    expect(form.locator("[name=amount]")).to_have_value("12+4×3")
    form.get_by_text("Split over several categories").tap()
    form.locator("[name=split_amount]").nth(1).tap()
    expect(form.get_by_role("button", name="×", exact=True)).to_have_count(1)
    form.get_by_role("button", name="×", exact=True).tap()
    expect(form.locator("[name=split_amount]").nth(1)).to_have_value("×")


def test_a_mouse_has_a_keyboard_beside_it(server, new_page):
    page = new_page(size="desktop")
    onboard(page, server)
    form = new_account(page, server)
    form.locator("[name=opening]").click()
    expect(form.get_by_role("button", name="−", exact=True)).to_have_count(0)
    assert form.locator("[name=opening]").get_attribute("inputmode") is None


def test_a_debt_is_ticked_without_the_script(server, new_page):
    page = new_page(javascript=False, touch=True)
    onboard(page, server)
    form = new_account(page, server)
    assert form.locator("[name=opening]").get_attribute("inputmode") is None, "the whole keyboard"
    form.locator("[name=opening]").fill("500")
    form.get_by_label("I owe this").check()
    form.locator("button.primary[type=submit]").click()
    expect_debt(page, server)
