"""Pages that are open while things happen elsewhere: they update themselves, and hold still where the user reads or types."""
import re
import signal

import pytest
from playwright.sync_api import expect

from people import PASSWORD, Person, wait_until
from steps import onboard, record, rows, submit, visit
from test_accounts import put_on_the_cloud, sign_in, sign_up
from test_sync import eventually_idle, in_step, make_a_large_account

MONTH = "2026-11"

# Counts what a page hears from its stream of events, before the page itself receives it.
EARS = """
window.heard = { status: 0, rows: 0, progress: 0, toast: 0 };
const Source = window.EventSource;
window.EventSource = class extends Source {
  constructor(...given) {
    super(...given);
    for (const name in heard) this.addEventListener(name, () => { heard[name] += 1; });
  }
};
"""

# A window without a screen shows all its tabs at once: this is what a tab knows of being in front.
TABS = """
let isBehind = false;
Object.defineProperty(Document.prototype, "hidden", { configurable: true, get: () => isBehind });
Object.defineProperty(Document.prototype, "visibilityState", {
  configurable: true, get: () => isBehind ? "hidden" : "visible" });
window.goBehind = (value) => {
  isBehind = value;
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
};
"""


def heard(page, name):
    return page.evaluate("name => window.heard ? heard[name] : 0", name)


def listens(page):
    """Waits until an opened page has heard how things stand."""
    page.wait_for_function("() => window.heard && heard.status > 0")


class Phone(Person):
    """The other device of the account: it records without a window."""

    def __init__(self, server):
        super().__init__(server)
        self.account = None

    def settle(self):
        wait_until(lambda: (self.body("state"), self.body("sync"), self.body("pending")) == ("synced", "idle", "0"),
                   "a device that is in step")

    def sign_up(self):
        self.onboard()
        assert self.post("/sign-in", "/sign-up", email="anna@x.test", password=PASSWORD) == 303
        self.settle()

    def sign_in(self):
        assert self.post("/sign-in", "/sign-in", email="anna@x.test", password=PASSWORD) == 303
        self.settle()

    def buys(self, payee, date="20"):
        if self.account is None:
            form = self.get("/transactions/new")
            self.account = re.search(r'<select[^>]*name="account".*?<option[^>]*value="([^"]+)"', form, re.S).group(1)
        assert self.ask("POST", "/transactions", {
            "kind": "expense", "date": f"{MONTH}-{date}", "amount": "1.00", "currency": "EUR",
            "account": self.account, "payee": payee}).status == 303


def top(page, selector):
    """How far below the window's upper edge something stands; asked in one go, as a list may be renewed at any time."""
    return page.evaluate("selector => document.querySelector(selector).getBoundingClientRect().top", selector)


def streams_of(context):
    """The streams of events that the pages of a browser hold open at the moment."""
    held = set()
    context.on("request", lambda request: held.add(request) if "/events?" in request.url else None)
    for end in ("requestfinished", "requestfailed"):
        context.on(end, lambda request: held.discard(request))
    return held


def test_tabs_in_the_back_leave_the_connections_to_the_one_in_front(premium, new_page):
    first = new_page(size="desktop")
    in_step(first, premium)
    context = first.context
    context.add_init_script(EARS + TABS)
    held = streams_of(context)
    tabs = [first] + [context.new_page() for _ in range(5)]
    for tab in tabs:
        visit(tab, f"{premium.url}/transactions?month={MONTH}")
        listens(tab)
        # The next tab is opened in front of it.
        tab.evaluate("goBehind(true)")
    wait_until(lambda: tabs[0].evaluate("1") and not held, lambda: f"{len(held)} streams stay open")
    seventh = context.new_page()
    record(seventh, premium, amount="7.00", payee="Tram", date=f"{MONTH}-21")
    expect(rows(seventh).filter(has_text="Tram")).to_have_count(1)
    listens(seventh)
    assert len(held) == 1
    # A tab tells the others that it has saved something.
    expect(rows(first).filter(has_text="Tram")).to_be_visible()
    # A tab that comes back to the front shows earlier changes and later ones.
    phone = Phone(premium)
    phone.sign_in()
    phone.buys("Early Shop")
    expect(rows(seventh).filter(has_text="Early Shop")).to_be_visible()
    expect(rows(first).filter(has_text="Early Shop")).to_have_count(0)
    first.evaluate("goBehind(false)")
    expect(rows(first).filter(has_text="Early Shop")).to_be_visible()
    wait_until(lambda: first.evaluate("1") and len(held) == 2, lambda: f"{len(held)} streams are open")
    phone.buys("Late Shop")
    expect(rows(first).filter(has_text="Late Shop")).to_be_visible()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_row_that_arrives_moves_nothing_that_is_read_or_typed(premium, new_page, size):
    phone = Phone(premium)
    phone.sign_up()
    for number in range(40):
        phone.buys(f"Shop {number}", date=f"{10 + number // 4}")
    page = new_page(size=size)
    page.add_init_script(EARS)
    visit(page, premium.url + "/sign-in")
    sign_in(page, premium, "anna")
    eventually_idle(page, premium, f"/transactions?month={MONTH}")
    wait_until(lambda: visit(page, f"{premium.url}/transactions?month={MONTH}") and rows(page).count() == 40,
               "what the other device had entered")
    listens(page)
    page.locator("summary", has_text="Filters").click()
    filters = page.locator("details", has=page.locator("#f-kind"))
    if size == "desktop":
        page.locator("#quick-add [name=amount]").fill("4.20")
        page.locator("#quick-add [name=payee]").fill("Kiosk")
    read = rows(page).filter(has_text=re.compile(r"Shop 20(?!\d)"))
    row = f"main [data-id='{read.get_attribute('data-id')}']"
    page.evaluate("""row => {
      const found = document.querySelector(row);
      window.scrollTo(0, found.getBoundingClientRect().top + scrollY - 200);
      found.querySelector("a").focus({ preventScroll: true });
    }""", row)
    expect(read.get_by_role("link")).to_be_focused()
    place = top(page, row)
    assert page.evaluate("scrollY") > 0, "a list that is too short to be scrolled"
    # Newer than all others, so that it stands above what is read.
    phone.buys("Late Shop", date="25")
    late = rows(page).filter(has_text="Late Shop")
    expect(late).to_have_count(1)
    assert top(page, f"main [data-id='{late.get_attribute('data-id')}']") < top(page, row)
    assert top(page, row) == pytest.approx(place, abs=1)
    expect(read.get_by_role("link")).to_be_focused()
    expect(filters).to_have_attribute("open", "")
    expect(page.locator("#f-kind")).to_be_visible()
    if size == "desktop":
        expect(page.locator("#quick-add [name=amount]")).to_have_value("4.20")
        expect(page.locator("#quick-add [name=payee]")).to_have_value("Kiosk")


@pytest.mark.parametrize("field", ["#quick-add [name=payee]", "#q"])
def test_a_row_that_arrives_leaves_the_keyboard_in_its_field(premium, new_page, field):
    phone = Phone(premium)
    phone.sign_up()
    phone.buys("Shop")
    page = new_page(size="desktop")
    page.add_init_script(EARS)
    visit(page, premium.url + "/sign-in")
    sign_in(page, premium, "anna")
    eventually_idle(page, premium, f"/transactions?month={MONTH}")
    expect(rows(page)).to_have_count(1)
    listens(page)
    page.locator(field).press_sequentially("Kio")
    phone.buys("Late Shop")
    expect(rows(page).filter(has_text="Late Shop")).to_be_visible()
    expect(page.locator(field)).to_be_focused()
    page.keyboard.type("sk")
    expect(page.locator(field)).to_have_value("Kiosk")


def test_a_page_that_is_read_shows_what_arrives_and_stays_where_it_is(premium, new_page):
    phone = Phone(premium)
    phone.sign_up()
    phone.buys("Shop")
    page = new_page()
    page.add_init_script(EARS)
    visit(page, premium.url + "/sign-in")
    sign_in(page, premium, "anna")
    eventually_idle(page, premium, "/accounts")
    listens(page)
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    assert page.evaluate("scrollY") > 0, "a page that is too short to be scrolled"
    place = top(page, "main [name=name]")
    phone.buys("Late Shop")
    expect(rows(page, "account").filter(has_text="2 transactions")).to_have_count(1)
    assert top(page, "main [name=name]") == pytest.approx(place, abs=1)


def collecting(page):
    """The faults of a page: errors of its script and of its console, but for a status of 4xx."""
    faults = []
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
    page.on("console", lambda message: faults.append(f"{page.url}: {message.text}")
            if message.type == "error" and "status of 4" not in message.text else None)
    return faults


ORDINARY = ["/", "/transactions", "/transactions?month=2026-02", "/transactions?q=bakery", "/transactions/new",
            "/accounts", "/categories", "/budgets", "/schedules", "/reports", "/reports?group=month", "/reports?group=account",
            "/reports?group=payee", "/reports?compare=previous", "/rates", "/settings", "/banks", "/history", "/help", "/status", "/subscription", "/no-such-page"]
ACCOUNTS_OWN = ["/settings/devices", "/settings/password", "/sign-out", "/account/delete", "/sign-in", "/sync",
                "/sync/review"]


def look_at(page, server, paths):
    """Opens each page, and where it listens, lets it hear how things stand."""
    for path in paths:
        visit(page, server.url + path)
        page.wait_for_load_state()
        if page.locator("body[data-tier]").count() and page.locator("body").get_attribute("data-tier") != "guest":
            listens(page)
        # Whatever the page still had to do by itself is done by then.
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def own_pages(page, server):
    """The pages of one of each kind."""
    paths = []
    for path, kind in (("/transactions", "transaction"), ("/accounts", "account"), ("/categories", "category"),
                       ("/budgets", "budget")):
        visit(page, server.url + path)
        paths.append(f"{path}/{rows(page, kind).first.get_attribute('data-id')}")
    visit(page, server.url + "/history")
    paths.append(f"/history/{rows(page, 'change').first.get_attribute('data-id')}")
    return paths


def make_a_book(page, server):
    """An entry and a budget."""
    record(page, server, payee="Corner Bakery", category="Groceries")
    visit(page, server.url + "/budgets")
    page.locator("form[action='/budgets'] [name=limit]").fill("300")
    page.locator("form[action='/budgets'] button[type=submit]").click()
    expect(rows(page, "budget")).to_have_count(1)


def test_no_page_of_a_guest_or_of_a_free_user_has_a_script_error(server, new_page, size):
    page = new_page(size=size)
    page.add_init_script(EARS)
    faults = collecting(page)
    visit(page, server.url + "/")
    for step in ("welcome", "currency", "secondary"):
        look_at(page, server, ["/sign-in"])
        visit(page, server.url + f"/onboarding/{step}")
        page.locator(f"form[action='/onboarding/{step}'] [type=submit]").first.click()
        page.wait_for_url(lambda url: not url.endswith(f"/{step}"))
    page.locator("form[action='/onboarding/calendar'] [type=submit]").click()
    page.wait_for_url(server.url + "/")
    make_a_book(page, server)
    look_at(page, server, ["/sign-in", *ORDINARY, *own_pages(page, server)])
    assert faults == []
    sign_up(page, server, "anna")
    look_at(page, server, [*ORDINARY, *ACCOUNTS_OWN, *own_pages(page, server)])
    assert faults == []


def blocked(new_page, server):
    """A user whose data needs a subscription, and the faults of the page."""
    first = new_page()
    onboard(first, server)
    sign_up(first, server, "anna")
    put_on_the_cloud(server, 5)
    page = new_page()
    page.add_init_script(EARS)
    faults = collecting(page)
    sign_in(page, server, "anna")
    page.wait_for_url("**/blocked")
    return page, faults


def test_no_page_of_a_blocked_user_has_a_script_error(server, new_page):
    page, faults = blocked(new_page, server)
    for path in ("/blocked", "/subscription", "/sign-out", "/account/delete", "/status"):
        with page.expect_response("**/events?*") as answer:
            visit(page, server.url + path)
        assert answer.value.status == 200
        look_at(page, server, [path])
        assert faults == []


def test_a_blocked_page_goes_on_by_itself_once_premium_is_granted(server, new_page):
    page, faults = blocked(new_page, server)
    server.run("grant", "anna@x.test", "--forever")
    page.wait_for_url(lambda url: not url.endswith("/blocked"))
    expect(page.locator("body")).to_have_attribute("data-tier", "premium")
    assert faults == []


def test_no_page_of_a_premium_user_has_a_script_error(premium, new_page, size):
    page = new_page(size=size)
    page.add_init_script(EARS)
    faults = collecting(page)
    onboard(page, premium)
    make_a_book(page, premium)
    sign_up(page, premium, "anna")
    eventually_idle(page, premium)
    paths = [*ORDINARY, *ACCOUNTS_OWN, *own_pages(page, premium)]
    look_at(page, premium, paths)
    assert faults == []
    # Nor when something arrives while they are open.
    phone = Phone(premium)
    phone.sign_in()
    for number, path in enumerate(["/transactions", "/", "/reports", "/subscription", "/sign-out", "/account/delete"]):
        visit(page, premium.url + path)
        listens(page)
        phone.buys(f"Shop {number}")
        page.wait_for_function("() => heard.rows > 0")
        page.wait_for_load_state("networkidle")
        assert faults == [], path


def test_no_page_that_waits_has_a_script_error(apart, new_page):
    server, line, _ = apart
    make_a_large_account(server)
    page = new_page()
    page.add_init_script(EARS)
    faults = collecting(page)
    visit(page, server.url + "/sign-in")
    line.hold("snapshot=", after=1)
    sign_in(page, server, "anna")
    assert line.is_held.wait(120)
    visit(page, server.url + "/download")
    expect(page.locator("h1")).to_have_text("Downloading your data...")
    listens(page)
    assert faults == []
    line.hold(None)
    # It continues by itself.
    page.wait_for_url(lambda url: not url.endswith("/download"))
    assert faults == []


@pytest.mark.parametrize("way", ["killed", "offline"])
def test_a_page_whose_server_does_not_answer_says_so_until_it_does(premium, new_page, way):
    phone = Phone(premium)
    page = new_page()
    page.add_init_script(EARS)
    in_step(page, premium)
    phone.sign_in()
    visit(page, f"{premium.url}/transactions?month={MONTH}")
    listens(page)
    label = page.locator("[data-cloud-label]").first
    silent = page.locator("main [data-silent]")
    expect(label).to_have_text("Backed up")
    expect(silent).to_have_count(0)
    if way == "offline":
        # The stream that is open stays open in this emulation, and the server must not use it meanwhile.
        page.context.set_offline(True)
    else:
        premium.wanted_port = premium.port
        premium.stop(signal.SIGKILL)
    expect(silent).to_have_text(re.compile(r"^\s*Breadly’s server does not answer\. This is how it was at \d+:\d\d\.\s*$"))
    expect(silent).to_have_attribute("role", "alert")
    expect(label).to_have_text("Not connected")
    expect(page.locator(".cloud use")).to_have_attribute("href", re.compile("#cloud-slash$"))
    page.locator(".cloud").click()
    sheet = page.locator("#cloud-sheet")
    expect(sheet).to_contain_text("Breadly’s server does not answer.")
    expect(sheet).not_to_contain_text("backed up")
    if way == "offline":
        page.context.set_offline(False)
        phone.buys("Late Shop")
        expect(rows(page).filter(has_text="Late Shop")).to_be_visible()
    else:
        premium.start()
    expect(silent).to_have_count(0)
    expect(label).to_have_text("Backed up")
    expect(sheet).to_contain_text("All changes backed up")


@pytest.mark.parametrize("path", ["/subscription", "/account/delete"])
def test_a_page_without_a_header_loads_itself_anew_when_the_state_changes(server, new_page, path):
    page = new_page()
    page.add_init_script(EARS)
    faults = collecting(page)
    onboard(page, server)
    sign_up(page, server, "anna")
    server.run("grant", "anna@x.test", "--forever")
    visit(page, server.url + "/subscription")
    page.locator("form[action='/subscription/restore'] button").click()
    eventually_idle(page, server)
    visit(page, server.url + path)
    expect(page.locator("body")).to_have_attribute("data-state", "synced")
    listens(page)
    server.run("revoke", "anna@x.test")
    expect(page.locator("body")).to_have_attribute("data-state", "local_only")
    expect(page.locator("body")).to_have_attribute("data-tier", "free")
    assert faults == []


def cut_off(page, apart, payees=("Kiosk", "Tram")):
    """A premium user whose cloud is away, with changes that wait."""
    server, line, _ = apart
    in_step(page, server)
    line.is_cut = True
    for payee in payees:
        record(page, server, amount="3.00", payee=payee)
    visit(page, server.url + "/sync")
    page.locator("main form[action='/sync/retry'] button").click()
    expect(page.locator("body")).to_have_attribute("data-sync", "offline")


def takes_one_back(window, server, payee):
    """Reverts a change that waits."""
    visit(window, server.url + "/sync")
    rows(window, "operation").filter(has_text=payee).get_by_role("button", name="Revert").click()
    expect(window.locator("[data-toast=change-reverted]")).to_be_visible()


@pytest.mark.parametrize("waiting", [False, True], ids=["at once", "while it waits"])
def test_a_phrase_that_is_being_typed_holds_still(apart, new_page, waiting):
    server, _, _ = apart
    page = new_page()
    page.add_init_script(EARS)
    cut_off(page, apart)
    visit(page, server.url + "/sign-out")
    if waiting:
        page.get_by_role("button", name="Sign out when everything is uploaded").click()
        page.get_by_role("link", name="Sign out now").click()
        page.wait_for_url("**/sign-out?now=1")
    listens(page)
    phrase = page.locator("[data-phrase]")
    expect(phrase).to_have_text("I understand 2 changes will be lost")
    page.locator("[name=confirm]").press_sequentially("I understand 2 chan")
    window = page.context.new_page()
    # More changes, and fewer ones: of each the page hears.
    for payee in ("Bakery", "Ferry", "Cinema"):
        before = heard(page, "status")
        record(window, server, amount="4.00", payee=payee)
        page.wait_for_function("count => heard.status > count", arg=before)
        expect(phrase).to_have_text("I understand 2 changes will be lost")
        expect(page.locator("[name=confirm]")).to_have_value("I understand 2 chan")
    for payee in ("Bakery", "Ferry", "Cinema", "Tram"):
        takes_one_back(window, server, payee)
    expect(page.locator("[name=confirm]")).to_be_focused()
    page.locator("[name=confirm]").press_sequentially("ges will be lost")
    expect(page.locator("[name=confirm]")).to_have_value("I understand 2 changes will be lost")
    # One change waits by now, and the page asked for two: who accepts to lose two accepts to lose one.
    page.get_by_role("button", name="Sign out now").click()
    page.wait_for_url("**/onboarding/welcome")


def test_a_toast_appears_in_a_region_that_was_there_before(server, new_page):
    page = new_page(size="desktop")
    onboard(page, server)
    visit(page, server.url + "/transactions")
    region = page.locator("#toasts[aria-live=polite]")
    expect(region).to_have_count(1)
    expect(region.locator("[data-toast]")).to_have_count(0)
    region.evaluate("region => { window.region = region; }")
    page.locator("#quick-add [name=amount]").fill("5")
    page.locator("#quick-add [name=amount]").press("Enter")
    expect(region.locator("[data-toast=transaction-added]")).to_be_visible()
    assert region.evaluate("region => region === window.region")
    expect(page.locator("[data-toast=transaction-added]")).to_have_count(1)


def test_what_one_window_saves_the_others_show(server, new_page):
    page = new_page(size="desktop")
    onboard(page, server)
    visit(page, server.url + "/transactions")
    quick = page.locator("#quick-add")
    quick.locator("[name=payee]").fill("half a word")
    other = page.context.new_page()
    record(other, server, payee="Corner Bakery")
    expect(rows(page)).to_have_count(1)
    expect(quick.locator("[name=payee]")).to_have_value("half a word")
    visit(other, server.url + "/accounts")
    other.locator("form[action='/accounts'] [name=name]").fill("Wallet")
    accounts = page.context.new_page()
    visit(accounts, server.url + "/accounts")
    submit(other.locator("form[action='/accounts'] [type=submit]"))
    expect(rows(accounts, "account").filter(has_text="Wallet")).to_have_count(1)


def test_a_form_that_was_refused_stays_while_others_save(server, new_page):
    page = new_page(size="desktop")
    onboard(page, server)
    visit(page, server.url + "/transactions/new")
    form = page.locator("form[action='/transactions']")
    form.locator("[name=amount]").fill("no amount")
    form.locator("[name=payee]").fill("Kiosk")
    submit(form.locator("[type=submit]").first)
    expect(form.locator("[name=amount]")).to_have_attribute("aria-invalid", "true")
    page.locator("h1").click()
    page.evaluate("() => document.activeElement.blur()")
    other = page.context.new_page()
    page.evaluate("() => { window.told = 0; "
                  "new BroadcastChannel(document.body.dataset.events).onmessage = () => { told += 1; }; }")
    record(other, server, payee="Corner Bakery")
    page.wait_for_function("() => told > 0")
    page.evaluate("() => new Promise((done) => requestIdleCallback(done, { timeout: 2000 }))")
    expect(form.locator("[name=payee]")).to_have_value("Kiosk")
    expect(form.locator("[name=amount]")).to_have_value("no amount")


def test_what_was_chosen_stays_while_others_save(server, new_page):
    page = new_page(size="desktop")
    onboard(page, server)
    visit(page, server.url + "/transactions/new")
    form = page.locator("form[action='/transactions']")
    form.locator("[name=kind][value=income]").check(force=True)
    form.locator("[name=account]").select_option(label="Card")
    page.evaluate("() => document.activeElement.blur()")
    page.evaluate("() => { window.told = 0; "
                  "new BroadcastChannel(document.body.dataset.events).onmessage = () => { told += 1; }; }")
    record(page.context.new_page(), server, payee="Corner Bakery")
    page.wait_for_function("() => told > 0")
    page.evaluate("() => new Promise((done) => requestIdleCallback(done, { timeout: 2000 }))")
    expect(form.locator("[name=kind][value=income]")).to_be_checked()
    expect(form.locator("[name=account] option:checked")).to_have_text("Card")
