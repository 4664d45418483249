"""Entries that are open in more than one place, or left half typed: no change is taken back, and nothing is lost."""
import contextlib
import sqlite3

import pytest
from playwright.sync_api import expect

from conftest import Server
from people import free_port, wait_until
from steps import another_document, onboard, record, rows, submit, unfold, visit
from test_accounts import confirm, sign_up
from test_receipts import add, file, lines, png

RECORDED = "form[action='/transactions']"
AWAY = "Not saved: the server cannot be reached. Your entry is still in the form."
AGED = "Nothing that you entered is lost"


@pytest.fixture
def steady(tmp_path):
    """A server that comes back on the port that it had."""
    running = Server(tmp_path / "data", port=free_port())
    yield running
    running.stop()


def another_window(page):
    """A second window of the same browser. A fault in it is the test's fault as well."""
    window = page.context.new_page()
    if hasattr(page, "faults"):
        window.on("pageerror", lambda error: page.faults.append(str(error)))
    return window


def editor(page):
    """The form that changes the entry that the page is about."""
    return page.locator("main form:has([name=seen])")


def save(page):
    editor(page).get_by_role("button", name="Save").first.click()


def with_one_entry(page, server):
    """A guest with one entry, and the entry's page in two windows."""
    onboard(page, server)
    record(page, server, amount="12.50", payee="Corner Bakery", category="Groceries")
    visit(page, server.url + "/transactions")
    address = f"{server.url}/transactions/{rows(page).first.get_attribute('data-id')}"
    second = another_window(page)
    for window in (page, second):
        visit(window, address)
        expect(editor(window).locator("[name=amount]")).to_have_value("12.50")
    return address, second


# Where a form is, which one it is, what is typed into it, and what the page that follows shows.
FORMS = {
    "transaction": ("/transactions/new", RECORDED, {"amount": "12.50", "payee": "Kiosk", "note": "two lines\nof it",
                                                    "tags": "trip, cash"}, "Kiosk"),
    "account": ("/accounts", "form[action='/accounts']", {"name": "Piggy bank", "opening": "7.25"}, "Piggy bank"),
    "category": ("/categories", "form[action='/categories']", {"name": "Fishing"}, "Fishing"),
    "budget": ("/budgets", "form[action='/budgets']", {"limit": "321.00"}, "321.00"),
    "settings": ("/settings", "form[action='/settings/preferences']", {"time_zone": "Asia/Tokyo"}, None),
}


def fill_in(page, server, name):
    """Types into a form, and gives it back with what was typed."""
    path, form, fields, _ = FORMS[name]
    visit(page, server.url + path)
    if name == "transaction":
        unfold(page.locator(form))
    for field, value in fields.items():
        page.locator(f"{form} [name={field}]").fill(value)
    if name == "transaction":
        page.locator(f"{form} [name=category]").select_option(label="Groceries")
    elif name == "account":
        page.locator(f"{form} [name=type]").select_option("savings")
    elif name == "category":
        page.locator(f"{form} [name=icon]").nth(3).check(force=True)
    elif name == "budget":
        page.locator(f"{form} [name=rollover]").check()
    else:
        page.locator(f"{form} [name=theme][value=dark]").check(force=True)
    return page.locator(form)


def still_filled_in(form, name):
    """Whether all that was typed and chosen is in the form."""
    for field, value in FORMS[name][2].items():
        expect(form.locator(f"[name={field}]")).to_have_value(value)
    if name == "transaction":
        expect(form.locator("[name=category] option:checked")).to_have_text("Groceries")
    elif name == "account":
        expect(form.locator("[name=type]")).to_have_value("savings")
    elif name == "category":
        expect(form.locator("[name=icon]").nth(3)).to_be_checked()
    elif name == "budget":
        expect(form.locator("[name=rollover]")).to_be_checked()
    else:
        expect(form.locator("[name=theme][value=dark]")).to_be_checked()


def press(form):
    """The one button that saves a form."""
    form.locator("button.primary[type=submit]").click()


def is_saved(page, name):
    """Whether the page that follows shows what was saved, once."""
    if name == "settings":
        expect(page.locator("[data-toast=settings-saved]")).to_be_visible()
        expect(page.locator("[name=time_zone]")).to_have_value("Asia/Tokyo")
        expect(page.locator("[name=theme][value=dark]")).to_be_checked()
    else:
        expect(rows(page, name).filter(has_text=FORMS[name][3])).to_have_count(1)


def test_a_form_from_before_a_sign_up_comes_back_filled_in(page, server):
    name = "transaction"
    onboard(page, server)
    form = fill_in(page, server, name)
    sign_up(another_window(page), server, "anna")
    press(form)
    expect(page.locator("main [role=alert]").filter(has_text=AGED)).to_be_visible()
    still_filled_in(form, name)
    press(form)
    is_saved(page, name)


def test_an_opened_entry_from_before_a_sign_up_comes_back_filled_in(page, server):
    _, second = with_one_entry(page, server)
    editor(page).locator("[name=note]").fill("with Anna")
    sign_up(second, server, "anna")
    save(page)
    expect(page.locator("[data-notice=meanwhile]")).to_contain_text(AGED)
    expect(editor(page).locator("[name=note]")).to_have_value("with Anna")
    expect(editor(page).locator("[name=amount]")).to_have_value("12.50")
    save(page)
    expect(page.locator("[data-toast=transaction-changed]")).to_be_visible()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Corner Bakery")


def test_quick_add_from_before_a_sign_up_comes_back_filled_in(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    visit(page, server.url + "/transactions")
    page.evaluate("window.isTheSame = true")
    quick = page.locator("#quick-add")
    quick.locator("[name=amount]").fill("4.20")
    quick.locator("[name=payee]").fill("Kiosk")
    quick.locator("[name=category]").select_option(label="Groceries")
    sign_up(another_window(page), server, "anna")
    press(quick)
    expect(quick.locator("[role=alert]")).to_contain_text(AGED)
    expect(quick.locator("[name=amount]")).to_have_value("4.20")
    expect(quick.locator("[name=payee]")).to_have_value("Kiosk")
    expect(quick.locator("[name=category] option:checked")).to_have_text("Groceries")
    press(quick)
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Kiosk")
    expect(quick.locator("[role=alert]")).to_have_count(0)
    # In place: the page was never left.
    assert page.evaluate("window.isTheSame")


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("name", FORMS)
def test_a_form_waits_for_a_server_that_is_away(new_page, steady, name, size):
    page = new_page(size=size)
    onboard(page, steady)
    form = fill_in(page, steady, name)
    steady.stop()
    press(form)
    expect(page.locator("#toasts")).to_contain_text(AWAY)
    still_filled_in(form, name)
    steady.start()
    press(form)
    is_saved(page, name)


def test_quick_add_waits_for_a_server_that_is_away(new_page, steady):
    page = new_page(size="desktop")
    onboard(page, steady)
    visit(page, steady.url + "/transactions")
    quick = page.locator("#quick-add")
    quick.locator("[name=amount]").fill("4.20")
    quick.locator("[name=payee]").fill("Kiosk")
    steady.stop()
    press(quick)
    expect(page.locator("#toasts")).to_contain_text(AWAY)
    expect(quick.locator("[name=amount]")).to_have_value("4.20")
    expect(quick.locator("[name=payee]")).to_have_value("Kiosk")
    steady.start()
    press(quick)
    expect(rows(page)).to_have_count(1)


def with_a_next_entry_begun(page, server):
    """One entry added beside the list, and the next one half typed."""
    onboard(page, server)
    visit(page, server.url + "/transactions")
    quick = page.locator("#quick-add")
    quick.locator("[name=amount]").fill("4.20")
    press(quick)
    expect(rows(page)).to_have_count(1)
    quick.locator("[name=amount]").fill("7")
    quick.locator("[name=payee]").press_sequentially("Kio")
    return quick


def is_still_begun(quick):
    expect(quick.locator("[name=amount]")).to_have_value("7")
    expect(quick.locator("[name=payee]")).to_have_value("Kio")


def test_undo_beside_an_entry_that_is_begun_leaves_it_alone(new_page, server):
    page = new_page(size="desktop")
    quick = with_a_next_entry_begun(page, server)
    page.evaluate("document.body.dataset.samePage = 1")
    page.locator("[data-toast=transaction-added]").get_by_role("button", name="Undo").click()
    deleted = page.locator("[data-toast=transaction-deleted]")
    expect(deleted).to_be_visible()
    expect(page.locator("[data-toast=transaction-added]")).to_have_count(0)
    expect(rows(page)).to_have_count(0)
    is_still_begun(quick)
    deleted.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast=transaction-restored]")).to_be_visible()
    expect(rows(page)).to_have_count(1)
    expect(page.locator("#totals")).to_contain_text("4.20")
    is_still_begun(quick)
    expect(page.locator("body[data-same-page]")).to_be_attached()
    press(quick)
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first).to_contain_text("Kio")


def test_undo_that_does_not_reach_the_server_leaves_the_entry_and_can_be_pressed_again(new_page, steady):
    page = new_page(size="desktop")
    quick = with_a_next_entry_begun(page, steady)
    undo = page.locator("[data-toast=transaction-added]").get_by_role("button", name="Undo")
    steady.stop()
    undo.click()
    expect(page.locator("#toasts")).to_contain_text("Not undone yet: save your entry, or try again in a moment.")
    is_still_begun(quick)
    steady.start()
    undo.click()
    expect(page.locator("[data-toast=transaction-deleted]")).to_be_visible()
    expect(rows(page)).to_have_count(0)
    is_still_begun(quick)


@pytest.mark.parametrize("typed", [True, False])
def test_undo_that_is_refused_shows_why_unless_something_is_typed(new_page, server, typed):
    page = new_page(size="desktop")
    if typed:
        quick = with_a_next_entry_begun(page, server)
    else:
        onboard(page, server)
        record(page, server)
    told = page.locator("[data-toast=transaction-added]")
    told.locator("[name=csrf]").evaluate("field => { field.value = 'of an earlier session'; }")
    told.get_by_role("button", name="Undo").click()
    if typed:
        expect(page.locator("#toasts")).to_contain_text("Not undone yet")
        is_still_begun(quick)
    else:
        expect(page.locator("[data-status='403']")).to_be_visible()


@pytest.mark.parametrize("name", ["transaction", "settings"])
def test_without_a_script_the_way_back_finds_the_fields(new_page, steady, name):
    page = new_page(javascript=False)
    onboard(page, steady)
    form = fill_in(page, steady, name)
    # Chromium keeps what is in a form for the way back from one second after the last change on, and nothing on the page
    # says that it has. A person does not leave the page within that second.
    page.wait_for_timeout(1_500)
    steady.stop()
    press(form)
    # The browser's own page, which says that no server answers.
    expect(page.locator("body[data-state]")).to_have_count(0)
    steady.start()
    page.go_back()
    still_filled_in(form, name)
    press(form)
    is_saved(page, name)


@contextlib.contextmanager
def kept_by_another_program(server):
    """The only book, which no server writes to meanwhile."""
    book = next((server.folder / "devices").rglob("*.sqlite"))
    other = sqlite3.connect(book, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


def test_a_short_form_that_meets_a_busy_book_is_sent_again(new_page, server):
    page = new_page(size="desktop")
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    onboard(page, server)
    visit(page, server.url + "/transactions")
    form = page.locator("#quick-add")
    form.locator("[name=amount]").fill("4.20")
    form.locator("[name=payee]").fill("Kiosk")
    with kept_by_another_program(server):
        form.locator("[type=submit]").first.click()
        expect(page.get_by_role("heading", name="One moment")).to_be_visible()
    expect(page.locator("main")).to_contain_text("What you entered is still here")
    expect(page.locator("main")).to_contain_text("Kiosk")
    page.get_by_role("button", name="Send it again").click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("4.20")
    assert faults == []


def resumed(form):
    """What says that a form shows what was typed before."""
    return form.locator("[data-resumed]")


def kept(page):
    """All that the tab keeps."""
    return page.evaluate("JSON.stringify(sessionStorage)")


def follow(page, link):
    """Presses a link that is in sight, and waits for its page."""
    with another_document(page.main_frame):
        link.locator("visible=true").first.click()


def leave(page):
    """Leaves a page by the menu."""
    follow(page, page.locator("nav a[href='/']"))


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("name", FORMS)
def test_a_half_filled_form_that_is_left_is_filled_in_when_its_page_is_back(new_page, server, name, size):
    page = new_page(size=size)
    onboard(page, server)
    form = fill_in(page, server, name)
    path = FORMS[name][0]
    for come_back in (lambda: visit(page, server.url + path), page.go_back):
        leave(page)
        come_back()
        still_filled_in(form, name)
        expect(resumed(form)).to_be_visible()
    page.reload()
    still_filled_in(form, name)
    expect(resumed(form)).to_be_visible()
    press(form)
    is_saved(page, name)
    visit(page, server.url + path)
    expect(resumed(form)).to_be_hidden()
    assert kept(page) == "{}"


def test_a_form_has_arrived_though_the_page_that_follows_is_left_before_its_scripts_have_come(new_page, server):
    page = new_page(size="phone")
    onboard(page, server)
    form = fill_in(page, server, "account")
    held = []
    page.route("**/drafts-*.js", lambda route: held.append(route))
    press(form)
    is_saved(page, "account")
    wait_until(lambda: held, "the script is asked for")
    page.unroute("**/drafts-*.js")
    page.goto(server.url + "/accounts")
    expect(page.locator(f"{FORMS['account'][1]} [name=name]")).to_have_value("")
    expect(resumed(form)).to_be_hidden()
    assert kept(page) == "{}"


def test_a_form_can_be_started_over(new_page, server):
    page = new_page(size="phone")
    onboard(page, server)
    form = fill_in(page, server, "transaction")
    leave(page)
    visit(page, server.url + "/transactions/new")
    still_filled_in(form, "transaction")
    with another_document(page.main_frame):
        resumed(form).get_by_role("button", name="Start over").click()
    expect(resumed(form)).to_be_hidden()
    for field in ("amount", "payee", "note", "tags", "category"):
        expect(form.locator(f"[name={field}]")).to_have_value("")
    leave(page)
    visit(page, server.url + "/transactions/new")
    expect(form.locator("[name=amount]")).to_have_value("")
    assert kept(page) == "{}"


def test_a_form_that_was_only_looked_at_is_not_kept(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    for path in ("/transactions/new", "/transactions", "/settings", "/budgets", "/categories", "/accounts", "/schedules"):
        visit(page, server.url + path)
    visit(page, server.url + "/transactions/new")
    page.locator("#amount").fill("1")
    page.locator("#amount").fill("")
    leave(page)
    assert kept(page) == "{}"


def test_cancel_discards_what_was_typed(new_page, server):
    page = new_page(size="desktop")
    address, _ = with_one_entry(page, server)
    editor(page).locator("[name=note]").fill("with Anna")
    leave(page)
    visit(page, address)
    expect(editor(page).locator("[name=note]")).to_have_value("with Anna")
    follow(page, editor(page).get_by_role("link", name="Cancel"))
    visit(page, address)
    expect(editor(page).locator("[name=note]")).to_have_value("")
    expect(resumed(editor(page))).to_be_hidden()
    assert kept(page) == "{}"


def test_a_draft_of_an_entry_takes_back_no_change_from_elsewhere(new_page, server):
    page = new_page(size="desktop")
    address, second = with_one_entry(page, server)
    editor(page).locator("[name=note]").fill("with Anna")
    leave(page)
    editor(second).locator("[name=amount]").fill("99.99")
    save(second)
    expect(rows(second)).to_contain_text("99.99")
    visit(page, address)
    expect(resumed(editor(page))).to_be_visible()
    save(page)
    expect(page.locator("[data-toast=transaction-changed]")).to_contain_text("99.99")
    visit(page, address)
    expect(editor(page).locator("[name=amount]")).to_have_value("99.99")
    expect(editor(page).locator("[name=note]")).to_have_value("with Anna")


def test_a_refused_form_that_is_left_is_kept_as_well(new_page, server):
    page = new_page(size="phone")
    onboard(page, server)
    form = fill_in(page, server, "transaction")
    form.locator("[name=amount]").fill("much")
    submit(form.locator("button.primary[type=submit]"))
    expect(form.locator("[name=amount][aria-invalid]")).to_have_value("much")
    expect(resumed(form)).to_be_hidden()
    leave(page)
    visit(page, server.url + "/transactions/new")
    expect(form.locator("[name=amount]")).to_have_value("much")
    expect(form.locator("[name=payee]")).to_have_value("Kiosk")
    expect(resumed(form)).to_be_visible()
    form.locator("[name=amount]").fill("12.50")
    press(form)
    is_saved(page, "transaction")
    assert kept(page) == "{}"


def test_as_many_parts_as_were_typed_come_back(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    form = fill_in(page, server, "transaction")
    form.locator(".parts summary").click()
    submit(form.locator("[name=more_parts]"))
    amounts, notes = form.locator("[name=split_amount]"), form.locator("[name=split_note]")
    expect(amounts).not_to_have_count(3)
    count = amounts.count()
    for place in range(count):
        form.locator("[name=split_category]").nth(place).select_option(index=place % 2 + 1)
        amounts.nth(place).fill(f"{place + 1}.50")
    notes.last.fill("the last one")
    typed = form.locator("[name=split_category]").evaluate_all("fields => fields.map((field) => field.value)")
    leave(page)
    visit(page, server.url + "/transactions/new")
    expect(amounts).to_have_count(count)
    for place in range(count):
        expect(amounts.nth(place)).to_have_value(f"{place + 1}.50")
    expect(notes.last).to_have_value("the last one")
    assert form.locator("[name=split_category]").evaluate_all("fields => fields.map((field) => field.value)") == typed
    expect(form.locator("legend").last).to_contain_text(f"{count}")
    assert page.evaluate("[...document.querySelectorAll('[id]')].length === new Set("
                         "[...document.querySelectorAll('[id]')].map(({ id }) => id)).size")


def test_an_entry_beside_the_list_is_kept_on_the_way_through_the_months(new_page, server):
    page = new_page(size="desktop")
    quick = with_a_next_entry_begun(page, server)
    follow(page, page.locator("[data-key=previous]"))
    is_still_begun(quick)
    expect(resumed(quick)).to_be_visible()
    # The long form is another one.
    visit(page, server.url + "/transactions/new")
    expect(page.locator("#amount")).to_have_value("")
    visit(page, server.url + "/transactions")
    is_still_begun(quick)
    press(quick)
    expect(rows(page)).to_have_count(2)
    expect(quick.locator("[name=amount]")).to_have_value("")
    leave(page)
    assert kept(page) == "{}"


def test_an_entry_that_meets_a_busy_book_is_kept_until_it_is_saved(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    form = fill_in(page, server, "transaction")
    with kept_by_another_program(server):
        press(form)
        expect(page.get_by_role("heading", name="One moment")).to_be_visible()
    # Away from the page of the fault, without sending it again.
    visit(page, server.url + "/transactions/new")
    still_filled_in(form, "transaction")
    with kept_by_another_program(server):
        press(form)
        expect(page.get_by_role("heading", name="One moment")).to_be_visible()
    page.get_by_role("button", name="Send it again").click()
    is_saved(page, "transaction")
    assert kept(page) == "{}"


def test_an_entry_with_files_comes_back_with_its_words(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    form = fill_in(page, server, "transaction")
    add(page, file("till.png", png(40, 40), "image/png"))
    expect(lines(page)).to_have_count(1)
    leave(page)
    visit(page, server.url + "/transactions/new")
    expect(lines(page)).to_contain_text("till.png")
    still_filled_in(form, "transaction")
    press(form)
    is_saved(page, "transaction")
    expect(rows(page).first.locator("[aria-label='Has receipts']")).to_be_visible()
    visit(page, server.url + "/transactions/new")
    expect(page.locator("[data-unsaved]")).to_have_count(0)
    assert kept(page) == "{}"


def test_files_that_are_added_to_a_draft_belong_to_it(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    form = fill_in(page, server, "transaction")
    leave(page)
    visit(page, server.url + "/transactions/new")
    still_filled_in(form, "transaction")
    add(page, file("till.png", png(40, 40), "image/png"))
    expect(lines(page)).to_have_count(1)
    press(form)
    is_saved(page, "transaction")
    expect(rows(page).first.locator("[aria-label='Has receipts']")).to_be_visible()


def test_neither_passwords_nor_phrases_nor_tokens_are_kept(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    sign_up(page, server, "anna")
    form = fill_in(page, server, "transaction")
    leave(page)
    secrets = [page.context.cookies()[0]["value"]]
    for path in ("/settings/password", "/sign-out", "/account/delete", "/banks/connect"):
        visit(page, server.url + path)
        for field in page.locator("main :is([type=password], [type=text], :not([type])):is(input):visible").all():
            field.fill("hush-hush")
        secrets += page.locator("[name=csrf]").evaluate_all("fields => fields.map((field) => field.value)")
        visit(page, server.url + "/")
    words = kept(page)
    assert "Kiosk" in words and "hush-hush" not in words
    assert [secret for secret in secrets if secret in words] == []
    visit(page, server.url + "/transactions/new")
    still_filled_in(form, "transaction")


def test_the_next_user_of_the_browser_gets_no_draft(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    sign_up(page, server, "anna")
    fill_in(page, server, "transaction")
    leave(page)
    assert "Kiosk" in kept(page)
    visit(page, server.url + "/sign-out")
    confirm(page, "/sign-out")
    page.wait_for_url("**/onboarding/welcome")
    assert kept(page) == "{}"
    sign_up(page, server, "bert")
    onboard(page, server)
    visit(page, server.url + "/transactions/new")
    expect(page.locator("#payee")).to_have_value("")


def test_a_draft_of_another_book_is_removed(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    fill_in(page, server, "transaction")
    leave(page)
    # Another cookie: another guest in the same tab.
    onboard(page, server)
    visit(page, server.url + "/transactions/new")
    expect(page.locator("#payee")).to_have_value("")
    assert kept(page) == "{}"


@pytest.mark.without_script
def test_pages_with_a_form_say_that_a_link_leaves_without_saving_where_that_is_so(page, server):
    onboard(page, server)
    for path in ("/transactions/new", "/accounts", "/categories", "/budgets", "/schedules", "/settings"):
        visit(page, server.url + path)
        sentence = page.locator("noscript p.hint")
        expect(sentence).to_have_count(0 if page.javascript else 1)
        if not page.javascript:
            expect(sentence).to_contain_text("A link on this page leaves without saving.")
            expect(sentence).to_be_visible()


def test_a_payee_brings_its_category_however_it_is_written(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    record(page, server, payee="Café Straße", category="Groceries")
    for payee in ("Café Straße", "  café\u00a0 STRASSE ", "Cafe\u0301 strasse", "\uff23\uff41fé Straße"):
        visit(page, server.url + "/transactions/new")
        page.locator("#payee").fill(payee)
        page.locator("#payee").blur()
        expect(page.locator("#category option:checked")).to_have_text("Groceries")
        follow(page, page.locator("#entry").get_by_role("link", name="Cancel"))
