"""Reports in Chromium: from a number to its transactions, on a phone and at a desk, with and without the script."""
from datetime import date

import pytest
from playwright.sync_api import expect

from long_book import month
from steps import onboard, record, rows, submit, visit


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


def test_a_bar_a_row_and_a_sentence_lead_to_their_transactions(book, server):
    span = f"from={month(1)}&to={month(0)}"
    visit(book, server.url + f"/reports?group=category&{span}")
    with book.expect_navigation():
        book.locator("svg.chart a", has_text="Groceries").first.click()
    expect(rows(book)).to_have_count(2)
    visit(book, server.url + f"/reports?group=payee&{span}")
    book.locator("summary", has_text="The numbers").first.click()
    with book.expect_navigation():
        book.get_by_role("link", name="Kiosk", exact=True).last.click()
    expect(rows(book)).to_have_count(1)
    expect(rows(book).first).to_contain_text("Kiosk")
    visit(book, server.url + "/reports?compare=previous")
    sentence = book.locator(".said a", has_text="Groceries")
    expect(sentence).to_contain_text("€10.00 more than the month before and €10.00 more than on average")
    with book.expect_navigation():
        sentence.click()
    expect(rows(book)).to_have_count(1)
    visit(book, server.url + f"/reports?group=category&{span}")
    with book.expect_navigation():
        book.locator("svg.chart a", has_text="No category").first.click()
    expect(rows(book)).to_have_count(1)
    expect(rows(book).first).to_contain_text("Kiosk")


def test_a_span_is_chosen_and_saved_as_csv(book, server):
    visit(book, server.url + "/reports")
    book.locator("[name=from]").fill(month(1))
    submit(book.get_by_role("button", name="Show"))
    expect(book.locator("figcaption").first).to_contain_text("Groceries took the most: €50.00 of €55.00")
    with book.expect_download() as started:
        book.get_by_text("Save as CSV").click()
    text = started.value.path().read_text(encoding="utf-8-sig")
    assert [line.split(",")[0] for line in text.splitlines()][1:] == ["Groceries", "No category", "Together"]
    assert ",50.00" in text and ",5.00" in text


def test_a_number_opens_what_it_is_made_of_by_the_keyboard(book, server):
    visit(book, server.url + "/")
    income = book.get_by_role("link", name="Spending −€30.00")
    income.focus()
    assert income.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    assert income.evaluate("element => getComputedStyle(element).textDecorationLine") == "none"
    with book.expect_navigation():
        book.keyboard.press("Enter")
    expect(rows(book)).to_have_count(1)
    visit(book, server.url + f"/reports?group=worth&from={month(1)}&to={month(0)}")
    points = book.locator("svg.chart a:has(circle)")
    expect(points).to_have_count(2)
    # The point of the month before is seen while its link has the focus.
    assert points.first.locator("circle").evaluate("element => getComputedStyle(element).opacity") == "0"
    book.keyboard.press("Tab")
    points.first.focus()
    assert points.first.locator("circle").evaluate("element => getComputedStyle(element).opacity") == "1"
    with book.expect_navigation():
        book.keyboard.press("Enter")
    assert f"from={month(1)}&to={month(1)}#accounts-EUR" in book.url
    expect(book.locator("figure#accounts-EUR")).to_be_visible()
