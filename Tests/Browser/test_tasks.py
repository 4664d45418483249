"""The clicks, keys and pages that frequent tasks take at most."""

import pytest
from playwright.sync_api import expect

from long_book import Filler
from steps import continue_as, rows, submit, visit


class Effort:
    """Does what a person does, and counts it."""

    def __init__(self, page):
        self.page = page
        self.clicks = self.keys = self.loads = 0
        page.on("load", self.count_load)

    def count_load(self, _):
        self.loads += 1

    def click(self, locator, modifiers=None):
        self.clicks += 1
        locator.click(modifiers=modifiers)

    def submit(self, button):
        """A click after which there is another page."""
        self.clicks += 1
        submit(button)

    def choose(self, select, label):
        """A click that opens the list and one that takes an option of it."""
        self.clicks += 2
        select.select_option(label=label)

    def fill(self, field, text):
        """A click into the field, and its text."""
        self.clicks += 1
        self.keys += len(text)
        field.fill(text)

    def press(self, key):
        self.keys += 1
        self.page.keyboard.press(key)


def book_of(page, server, payees):
    """A guest's book with expenses of these payees, without a category."""
    person = Filler(server)
    person.onboard()
    for payee in payees:
        person.buy(payee)
    continue_as(page, server, person)


def categorizes_six_payees(page, server):
    """30 rows of six payees get their categories."""
    wanted = {"Market": "Groceries", "Baker": "Groceries", "Bistro": "Eating out", "Landlord": "Housing",
              "Shell": "Fuel", "Tailor": "Clothing"}
    book_of(page, server, [payee for payee in wanted for _ in range(5)])
    visit(page, server.url + "/transactions/uncategorised")
    effort = Effort(page)
    for number in range(len(wanted), 0, -1):
        groups = page.locator("[data-kind=uncategorised]")
        expect(groups).to_have_count(number)
        group = groups.first
        category = wanted[group.get_attribute("data-payee")]
        button = group.locator("button[name=choice]", has_text=category)
        if button.count():
            effort.submit(button.first)
        else:
            select = group.locator("select[name=category]")
            label = select.locator("option", has_text=category).first.text_content()
            effort.choose(select, label)
            effort.submit(group.locator("button.primary"))
    expect(page.locator("main")).to_contain_text("Everything has a category.")
    return effort


def gives_twenty_rows_another_category(page, server):
    """20 rows of a list get another category."""
    book_of(page, server, ["Market"] * 20)
    visit(page, server.url + "/transactions")
    effort = Effort(page)
    effort.click(page.locator("#list .dot").first)
    expect(page.locator("#list [data-selected]")).to_have_count(1)
    effort.click(page.locator("#list label.row").last, modifiers=["Shift"])
    expect(page.locator("#list [data-selected]")).to_have_count(20)
    effort.choose(page.locator("#bulk-category"), "Groceries")
    effort.submit(page.locator("#bulk button[value=category]"))
    expect(rows(page).filter(has_text="Groceries")).to_have_count(20)
    return effort


def renames_a_payee_everywhere(page, server):
    """A payee gets another name everywhere."""
    book_of(page, server, ["SHELL 4711"] * 3 + ["Market"])
    visit(page, server.url + "/payees")
    effort = Effort(page)
    effort.submit(page.locator("[data-kind=payee][data-name='SHELL 4711'] a.name"))
    effort.fill(page.locator("form[action$='/payees/rename'] [name=to]"), "Shell")
    effort.submit(page.locator("form[action$='/payees/rename'] button"))
    effort.submit(page.locator("form[data-count='3'] button.primary"))
    expect(page.locator("h1")).to_have_text("Shell")
    expect(page.locator(".toast")).to_contain_text("3 transactions are now of")
    return effort


def corrects_an_amount_in_its_row(page, server):
    """An amount is corrected without leaving the list."""
    book_of(page, server, ["Market", "Baker"])
    visit(page, server.url + "/transactions")
    effort = Effort(page)
    effort.press("j")
    effort.press("e")
    amount = page.locator("[data-editor] [name=amount]")
    expect(amount).to_be_focused()
    amount.press("Control+a")
    effort.keys += 1
    for key in "13.50":
        effort.press(key)
    effort.keys += 1
    with page.expect_navigation(url=lambda url: "edit=" not in url):
        page.keyboard.press("Enter")
    expect(rows(page).filter(has_text="13.50")).to_have_count(1)
    return effort


TASKS = [
    (categorizes_six_payees, {"clicks": 12, "loads": 6}),
    (gives_twenty_rows_another_category, {"clicks": 5, "loads": 1}),
    (renames_a_payee_everywhere, {"clicks": 4, "loads": 3}),
    (corrects_an_amount_in_its_row, {"clicks": 0, "keys": 9, "loads": 2}),
]


@pytest.mark.parametrize("task,most", TASKS, ids=[task.__name__ for task, _ in TASKS])
def test_a_task_takes_at_most(page, server, task, most):
    effort = task(page, server)
    done = {name: getattr(effort, name) for name in most}
    assert all(done[name] <= most[name] for name in most), f"{task.__doc__} {done}, at most {most}"


def test_escape_leaves_the_form_in_a_row(page, server):
    book_of(page, server, ["Market", "Baker"])
    visit(page, server.url + "/transactions?month=all")
    page.locator("body").press("j")
    page.keyboard.press("e")
    expect(page.locator("[data-editor] [name=amount]")).to_be_focused()
    assert "edit=" in page.url and "month=all" in page.url
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "edit=" not in url)
    assert "month=all" in page.url
    expect(page.locator("[data-editor]")).to_have_count(0)
