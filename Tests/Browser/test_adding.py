"""The form of a new transaction: how many taps and keys it takes, and what stays in sight."""
import pytest
from playwright.sync_api import expect

from steps import onboard, record, rows, unfold, visit

PHONE = {"width": 390, "height": 844}


class Hands:
    """Taps and presses keys, and counts both."""

    def __init__(self, page):
        self.page = page
        self.taps = self.keys = 0

    def tap(self, target):
        target.tap()
        self.taps += 1

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1


def with_a_known_payee(page, server):
    onboard(page, server)
    record(page, server, payee="Brotzeit", amount="4.10", category="Groceries", account="Bank")
    visit(page, server.url + "/")


def is_added_again(page, server, amount):
    expect(page.locator("[data-toast=transaction-added]")).to_contain_text(f"{amount} Brotzeit added")
    visit(page, server.url + "/transactions")
    expect(rows(page)).to_have_count(2)
    row = rows(page).filter(has_text="Brotzeit").filter(has_text=amount)
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Groceries · Bank")


def test_a_known_payee_takes_three_taps_and_the_amount_on_a_phone(new_page, server):
    page = new_page(touch=True)
    with_a_known_payee(page, server)
    hands = Hands(page)
    hands.tap(page.locator(".bar .add"))
    hands.tap(page.locator("#entry").get_by_role("link", name="Brotzeit"))
    expect(page.locator("#amount")).to_be_focused()
    # The former amount is selected: the next one takes its place.
    page.keyboard.type("5.20")
    expect(page.locator("#category option:checked")).to_have_text("Groceries")
    expect(page.locator("#account option:checked")).to_have_text("Bank")
    hands.tap(page.get_by_role("button", name="Save", exact=True))
    is_added_again(page, server, "5.20")
    assert hands.taps == 3


@pytest.mark.parametrize("start", ["/", "/transactions"])
def test_a_known_payee_takes_eight_keys_on_a_desktop(new_page, server, start):
    page = new_page(size="desktop")
    with_a_known_payee(page, server)
    visit(page, server.url + start)
    hands = Hands(page)
    hands.press("n")
    expect(page.locator("#payee")).to_be_focused()
    hands.press("b", "Enter")
    expect(page.locator("#amount")).to_be_focused()
    expect(page.locator("#payee")).to_have_value("Brotzeit")
    hands.press("5", ".", "2", "Enter")
    is_added_again(page, server, "5.20")
    assert hands.keys <= 8


def test_ten_entries_need_no_mouse(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    visit(page, server.url + "/transactions/new")
    for number in range(1, 6):
        expect(page.locator("#payee")).to_be_focused()
        expect(page.locator("#payee")).to_have_value("")
        page.keyboard.type(f"Shop {number}")
        page.keyboard.press("Tab")
        page.keyboard.type(f"{number}")
        page.keyboard.press("Control+Enter")
        expect(page.locator("[data-toast=transaction-added]")).to_contain_text(f"Shop {number} added")
    visit(page, server.url + "/transactions")
    page.keyboard.press("n")
    for number in range(6, 11):
        expect(page.locator("#quick-add #payee")).to_be_focused()
        page.keyboard.type(f"Shop {number}")
        page.keyboard.press("Tab")
        page.keyboard.type(f"{number}")
        page.keyboard.press("Enter")
        expect(rows(page)).to_have_count(number)


def test_all_payees_are_suggested_in_any_form(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    for payee in ("Shell", "Café Łódź"):
        record(page, server, payee=payee, amount="7")
    visit(page, server.url + "/transactions/new")
    offered = page.locator("[data-repeats] a")
    page.locator("#payee").press_sequentially("cafe lod")
    expect(offered).to_have_count(1)
    expect(offered).to_contain_text("Café Łódź")
    page.keyboard.press("ArrowDown")
    expect(offered).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#payee")).to_be_focused()
    page.locator("#payee").fill("shell")
    page.keyboard.press("Tab")
    # The Tab key leaves the name as it was typed, and does not choose an amount.
    expect(page.locator("#amount")).to_be_focused()
    expect(page.locator("#payee")).to_have_value("shell")
    expect(page.locator("#amount")).to_have_value("")


def test_another_payee_replaces_what_the_first_one_brought_and_nothing_else(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    record(page, server, payee="Wages", kind="income", amount="2000", category="Salary", account="Bank")
    record(page, server, payee="Brotzeit", amount="4.10", category="Groceries", account="Cash")
    visit(page, server.url + "/transactions/new")
    form = page.locator("#entry")
    form.get_by_role("link", name="Wages").click()
    expect(form.locator("[name=kind]:checked")).to_have_value("income")
    expect(form.locator("#amount")).to_have_value("2000.00")
    expect(form.locator("#category option:checked")).to_have_text("Salary")
    form.get_by_role("link", name="Brotzeit").click()
    expect(form.locator("[name=kind]:checked")).to_have_value("expense")
    expect(form.locator("#amount")).to_have_value("4.10")
    expect(form.locator("#category option:checked")).to_have_text("Groceries")
    expect(form.locator("#account option:checked")).to_have_text("Cash")
    # An amount that was typed stays.
    form.locator("#amount").fill("5")
    form.get_by_role("link", name="Wages").click()
    expect(form.locator("#amount")).to_have_value("5")


def test_a_day_is_chosen_or_typed(new_page, server):
    page = new_page(size="phone")
    onboard(page, server)
    visit(page, server.url + "/transactions/new")
    date = page.locator("#date")
    expect(date).to_be_hidden()
    page.locator("label:has([name=day][value=''])").click()
    expect(date).to_be_focused()
    yesterday = page.locator("[name=day]").nth(1).get_attribute("value")
    date.fill(yesterday)
    expect(page.get_by_label("Yesterday")).to_be_checked()
    expect(date).to_be_hidden()


@pytest.mark.parametrize("height", [844, 400])
def test_save_stays_in_sight_and_covers_nothing(new_page, server, height):
    page = new_page(size="phone")
    onboard(page, server)
    page.set_viewport_size({**PHONE, "height": height})
    visit(page, server.url + "/transactions/new")
    save = page.get_by_role("button", name="Save", exact=True)
    form = page.locator("#entry")

    def is_in_sight():
        box = save.bounding_box()
        bar = page.locator("nav.bar")
        end = bar.bounding_box()["y"] if bar.is_visible() else height
        assert 0 <= box["y"] and box["y"] + box["height"] <= end

    is_in_sight()
    unfold(form)
    form.get_by_text("Split over several categories").click()
    is_in_sight()
    for field in (form.locator("[name=split_note]").last, form.locator("[name=tags]")):
        field.focus()
        is_in_sight()
        box = field.bounding_box()
        assert box["y"] + box["height"] <= save.bounding_box()["y"]


def test_an_entry_is_duplicated_and_starred_by_keys(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    record(page, server, payee="Brotzeit", amount="4.10")
    rows(page).first.locator("a").first.click()
    expect(page.get_by_role("heading", name="Edit transaction")).to_be_visible()
    # The script has to know the keys.
    page.wait_for_load_state()
    page.keyboard.press("*")
    expect(page.locator("[data-toast=transaction-starred]")).to_be_visible()
    page.keyboard.press("d")
    expect(rows(page)).to_have_count(2)
    visit(page, server.url + "/transactions/new")
    expect(page.locator("[data-repeats] a").first).to_have_attribute("data-template", "")
