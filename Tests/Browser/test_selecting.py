"""Selecting rows of the list and changing them at once: by the pointer, by keys, and without the script."""

import re

import pytest
from playwright.sync_api import expect

from steps import onboard, record, rows, submit, visit


@pytest.fixture
def listed(page, server):
    onboard(page, server)
    for payee in ("Shell", "Market", "Shell", "Baker"):
        record(page, server, payee=payee)
    visit(page, server.url + "/transactions")
    return page


def selected(page):
    return page.locator("#list [data-selected]")


def sets_category(page, name):
    page.locator("#bulk-category").select_option(label=name)
    submit(page.locator("#bulk button[value=category]"))


@pytest.mark.without_script
def test_rows_are_selected_and_get_a_category(listed, server):
    page = listed
    page.locator("a[data-select]").click()
    boxes = page.locator("#list [name=id]")
    expect(boxes).to_have_count(4)
    boxes.nth(0).check()
    boxes.nth(1).check()
    if page.javascript:
        expect(selected(page)).to_have_count(2)
        expect(page.locator("#bulk")).to_have_attribute("data-count", "2")
        expect(page.locator("#bulk .selected")).to_contain_text("2 selected")
    sets_category(page, "Groceries")
    expect(page.locator(".toast")).to_contain_text("2 transactions changed.")
    expect(rows(page).filter(has_text="Groceries")).to_have_count(2)
    undo = page.locator(".toast button").first
    if page.javascript:
        undo.click()
    else:
        submit(undo)
        visit(page, server.url + "/transactions")
    expect(rows(page).filter(has_text="Groceries")).to_have_count(0)


def test_a_range_and_all_that_match(listed):
    page = listed
    if not page.javascript:
        pytest.skip("a range needs the script")
    page.locator("#list .dot").first.click()
    expect(selected(page)).to_have_count(1)
    assert "select=on" in page.url
    page.locator("#list label.row").last.click(modifiers=["Shift"])
    expect(selected(page)).to_have_count(4)
    page.locator("#list label.row").nth(1).click()
    expect(selected(page)).to_have_count(3)
    expect(page.locator("#bulk .selected")).to_contain_text("3 selected")
    page.locator("#bulk [name=all]").check()
    expect(selected(page)).to_have_count(4)
    expect(page.locator("#bulk .selected")).to_contain_text("4 selected")
    page.locator("#list label.row").nth(1).click()
    expect(page.locator("#bulk [name=all]")).not_to_be_checked()
    expect(selected(page)).to_have_count(3)
    page.locator("#bulk [name=all]").check()
    page.locator("#list [name=id]").first.focus()
    page.keyboard.press("t")
    page.wait_for_url(re.compile("/transactions/bulk"))
    expect(page.locator("[data-bulk]")).to_have_attribute("data-count", "4")


@pytest.mark.without_script
def test_the_value_is_asked_for_on_its_own_page(listed):
    page = listed
    page.locator("a[data-select]").click()
    page.locator("#list [name=id]").nth(0).check()
    submit(page.locator("#bulk button[value=payee]"))
    expect(page.locator("[data-bulk]")).to_have_attribute("data-count", "1")
    page.locator("#value").fill("Bakery")
    submit(page.locator("button[value=payee]"))
    expect(rows(page).filter(has_text="Bakery")).to_have_count(1)


def test_keys_of_a_row(listed):
    page = listed
    if not page.javascript:
        pytest.skip("keys need the script")
    page.locator("body").press("j")
    expect(rows(page).nth(0).locator("a.row")).to_be_focused()
    page.keyboard.press("j")
    expect(rows(page).nth(1).locator("a.row")).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("x")
    expect(selected(page)).to_have_count(1)
    expect(rows(page).nth(0).locator("[name=id]")).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(selected(page)).to_have_count(2)
    page.keyboard.press("t")
    page.wait_for_url(re.compile("/transactions/bulk"))
    expect(page.locator("[data-bulk]")).to_have_attribute("data-count", "2")
    page.locator("#value").fill("trip")
    submit(page.locator("button[value=tags-add]"))
    expect(rows(page).filter(has_text="#trip")).to_have_count(2)
