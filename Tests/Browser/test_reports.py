"""Reports in Chromium: their tabs, and the way from a number to its transactions by the keyboard."""
from datetime import date

import pytest
from playwright.sync_api import expect

from long_book import month
from steps import another_document, onboard, record, rows, visit


@pytest.fixture
def book(page, server):
    """Groceries and a payee of their own in this month and at the beginning of the one before."""
    onboard(page, server)
    record(page, server, amount="30", payee="Market", category="Groceries", date=date.today().isoformat())
    record(page, server, amount="20", payee="Market", category="Groceries", date=f"{month(1)}-01")
    record(page, server, amount="5", payee="Kiosk", date=f"{month(1)}-01")
    return page


def is_in_view(locator):
    box = locator.bounding_box()
    return box["x"] >= 0 and box["x"] + box["width"] <= locator.page.viewport_size["width"]


def test_each_report_is_a_tab_whose_name_is_in_view(book, server):
    visit(book, server.url + "/reports")
    names = book.locator(".tabs").first.locator("a").all_inner_texts()
    assert names == ["Categories", "Payees", "Accounts", "Months", "Cash flow", "Net worth", "Comparison"]
    for name in names:
        book.locator(".tabs").first.get_by_text(name, exact=True).click()
        current = book.locator(".tabs [aria-current]", has_text=name)
        expect(current).to_be_visible()
        assert is_in_view(current), name
        expect(book.locator("figcaption").first).to_be_visible()


def test_a_number_opens_what_it_is_made_of_by_the_keyboard(book, server):
    visit(book, server.url + "/")
    income = book.get_by_role("link", name="Spending −€30.00")
    income.focus()
    assert income.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    assert income.evaluate("element => getComputedStyle(element).textDecorationLine") == "none"
    with another_document(book.main_frame):
        book.keyboard.press("Enter")
    expect(rows(book)).to_have_count(1)
    # The totals of a list are in one place on a phone and in another at a desk.
    totals = book.locator(".phone-only dd, #totals dd").locator("visible=true")
    expect(totals.filter(has_text="€30.00").first).to_be_visible()
    visit(book, server.url + f"/reports?group=worth&from={month(1)}&to={month(0)}")
    points = book.locator("svg.chart a:has(circle)")
    expect(points).to_have_count(2)
    # The point of the month before is seen while its link has the focus.
    assert points.first.locator("circle").evaluate("element => getComputedStyle(element).opacity") == "0"
    book.keyboard.press("Tab")
    points.first.focus()
    assert points.first.locator("circle").evaluate("element => getComputedStyle(element).opacity") == "1"
    with another_document(book.main_frame):
        book.keyboard.press("Enter")
    assert f"from={month(1)}&to={month(1)}#accounts-EUR" in book.url
    expect(book.locator("figure#accounts-EUR")).to_be_visible()
