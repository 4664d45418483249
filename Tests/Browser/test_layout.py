"""Every page at every width, in any script, and on paper."""
import pytest

from bank import Bank
from conftest import PATIENCE, Server
from long_book import ARABIC, EMAIL, LARGE, LONG_PAYEE, UNBROKEN, Filler, month
from line import Line
from people import PASSWORD, wait_until
from steps import visit
from test_accounts import put_on_the_cloud

PAGES = ["/", "/transactions", f"/transactions?month={month(1)}", "/transactions?q=nothing-like-it",
         "/transactions?kind=income", "/transactions?select=on", "/payees", "/transactions/new", "/transactions/ID",
         "/accounts", "/accounts/ID",
         "/accounts/ID/transactions", "/accounts/ID/move",
         "/categories", "/categories/ID", "/categories/ID/merge", "/categories/order", "/accounts/order",
         "/budgets", "/budgets/ID", "/schedules", "/schedules/ID", "/reports",
         "/reports?group=month",
         "/reports?group=account", "/reports?group=payee", "/reports?group=flow", "/reports?group=worth",
         "/reports?compare=previous", f"/transactions?from={month(2)}-05&to={month(0)}-05",
         "/rates", f"/?month={month(1)}", "/settings", "/settings/devices", "/settings/password", "/banks",
         "/banks/connect", "/banks/ID/accounts", "/banks/rows/ID", "/accounts/ID/record-bank",
         "/attachments", "/attachments/deleted",
         "/history", "/history/ID", "/help", "/status", "/sync", "/sync/review", "/subscription", "/sign-out",
         "/account/delete", "/no-such-page"]
GUESTS = ["/sign-in", "/onboarding/welcome", "/onboarding/currency", "/onboarding/secondary", "/onboarding/calendar"]
BLOCKED = ["/blocked"]
# Names of the bank. They are in small letters, so that no row of the book is taken for one of the bank.
UNION, BANK_PAYEE = "Green Credit Union", UNBROKEN.lower()
# The page with the list of the rows of a kind, and a name in the row, where these are not those of the book.
LISTS = {"/banks": ("/banks", UNION), "/banks/rows": ("/transactions?month=all", BANK_PAYEE)}
# A small phone; the same at 400 % zoom of a window of 1280 by 1024; a phone; a tablet; a small and a large desk.
SIZES = [(320, 640), (320, 256), (390, 844), (768, 1024), (1280, 1024)]


def blocked(server):
    """A user whose data needs a subscription."""
    first, second = Filler(server), Filler(server)
    first.onboard()
    first.get("/sign-in")
    first.send("/sign-up", email=EMAIL, password=PASSWORD)
    put_on_the_cloud(server, 1_234)
    second.get("/sign-in")
    second.send("/sign-in", email=EMAIL, password=PASSWORD)
    wait_until(lambda: second.ask("GET", "/").location == "/blocked", "a blocked device")
    return second


def join(person, bank):
    """Connects a bank with long names and large amounts, and joins its account to the one with the long name."""
    bank.name, bank.balance = BANK_PAYEE, LARGE
    bank.transactions[0].update(payee=BANK_PAYEE, description=BANK_PAYEE.upper() * 2, amount=f"-{LARGE}")
    person.get("/banks/connect")
    person.send("/banks/connect", provider="simplefin", setup_token=bank.token("one"))
    wait_until(lambda: 'data-bank-state="connected"' in person.get("/banks"), "the bank is read")
    account = person.path_of("/accounts", UNBROKEN[:60]).rpartition("/")[2]
    connection = person.path_of("/banks", UNION)
    person.get(f"{connection}/accounts")
    person.send(f"{connection}/accounts", **{"account-chk": account})


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A long-lived book on two devices, a conflict between them, and a cloud that is away."""
    folder = tmp_path_factory.mktemp("layout")
    cloud = Server(folder / "cloud", "--premium", "everyone", command="cloud")
    line = Line(cloud.url)
    bank = Bank()
    server = Server(folder / "data", "--cloud", line.url, "--simplefin", bank.host)
    first, second = Filler(server), Filler(server)
    first.fill()
    first.send("/sign-up", email=EMAIL, password=PASSWORD)
    first.in_step()
    join(first, bank)
    first.in_step()
    second.get("/sign-in")
    second.send("/sign-in", email=EMAIL, password=PASSWORD)
    second.in_step()
    line.is_cut = True
    for device, amount in ((first, "98765432.10"), (second, "12345678.90")):
        device.change(LONG_PAYEE, amount=amount)
    line.is_cut = False
    for device in (first, second, first):
        device.in_step()
    wait_until(lambda: 'data-kind="conflict"' in first.get("/sync/review"), "a conflict")
    line.cut = {"/cloud/v1/push"}
    first.change(LONG_PAYEE, amount=LARGE)
    guest = Filler(server)
    guest.begin()
    plain = Server(folder / "plain")
    barred = blocked(plain)
    yield {"": first, "guest": guest, "blocked": barred}
    plain.stop()
    server.stop()
    bank.stop()
    line.stop()
    cloud.stop()


# Folded parts of a page are measured too.
UNFOLD = """() => {
  document.querySelectorAll("details").forEach((details) => { details.open = true; });
  document.querySelectorAll("[popover]").forEach((sheet) => {
    sheet.popover = "manual";
    if (getComputedStyle(sheet).display === "none") sheet.showPopover();
  });
}"""

LOOK = r"""
const root = document.documentElement;
const isShown = (item) => item.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
  && !item.closest(".vh, .skip");
const called = (item) => `<${item.localName} ${item.className.baseVal ?? item.className}> `
  + `${(item.textContent || item.name || "").trim().replace(/\s+/g, " ").slice(0, 60)}`;
const rangeOf = (node, from = 0, to = node.length) => {
  const range = document.createRange();
  range.setStart(node, from);
  range.setEnd(node, to);
  return range;
};
const texts = () => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.data.trim() && isShown(node.parentElement) && !node.parentElement.closest("select, noscript, textarea"))
      found.push(node);
  }
  return found;
};
"""

# Nothing sticks out, no short word and no number is broken, and what ends in dots can be read in its title.
MISFITS = "() => {" + LOOK + r"""
  const faults = [], width = root.clientWidth;
  if (root.scrollWidth > width) faults.push(`the page is ${root.scrollWidth} wide`);
  const scrolls = (item) => {
    for (let box = item; box && box !== document.body; box = box.parentElement)
      if (/auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth) return true;
    return false;
  };
  for (const node of texts()) {
    const item = node.parentElement, titled = item.closest("[title]"), box = rangeOf(node).getBoundingClientRect();
    const isShortened = titled && getComputedStyle(titled).textOverflow === "ellipsis";
    if ((box.left < -1 || box.right > width + 1) && !scrolls(item) && !isShortened)
      faults.push(`sticks out: ${called(item)}`);
    if (item.closest("svg")) continue;
    for (const word of node.data.matchAll(/\S+/g)) {
      if (word[0].length > 12 && !/\d[.,]\d/.test(word[0])) continue;
      const lines = new Set([...rangeOf(node, word.index, word.index + word[0].length).getClientRects()]
        .filter((rect) => rect.width).map((rect) => Math.round(rect.top)));
      if (lines.size > 1) faults.push(`${word[0]} is broken: ${called(item)}`);
    }
  }
  for (const item of document.querySelectorAll("body *")) {
    if (!isShown(item) || item.closest("svg")) continue;
    const style = getComputedStyle(item);
    const isCut = /hidden|clip/.test(style.overflowX) && item.scrollWidth > item.clientWidth;
    if (isCut && !item.matches("input, select")) {
      if (style.textOverflow !== "ellipsis" || item.title.trim() !== item.textContent.trim().replace(/\s+/g, " "))
        faults.push(`cut off without a title: ${called(item)}`);
      if (item.matches("[data-amount]") || item.querySelector("[data-amount]"))
        faults.push(`an amount is cut off: ${called(item)}`);
    }
    if (item.matches("[type=date], [type=month], select[name=currency]")) {
      const probe = item.cloneNode(true);
      probe.style.cssText = "position: absolute; width: max-content";
      if (probe.options) [...probe.options].forEach((option) => option.value === item.value || option.remove());
      item.after(probe);
      const needed = probe.offsetWidth;
      probe.remove();
      if (needed > item.offsetWidth) faults.push(`${item.name} needs ${needed} and has ${item.offsetWidth}`);
    }
    if (item.matches("[inputmode=decimal]") && item.scrollWidth > item.clientWidth)
      faults.push(`${item.name} shows not all of ${item.value}`);
  }
  return [...new Set(faults)];
}"""


@pytest.fixture(scope="module")
def windows(book, chromium):
    """A window of each of the people."""
    pages = {}
    for who, person in book.items():
        context = chromium.new_context(locale="en-IE", timezone_id="Europe/Dublin", reduced_motion="reduce")
        context.set_default_timeout(PATIENCE * 1_000)
        name, value = person.cookie.split("=", 1)
        context.add_cookies([{"name": name, "value": value, "url": person.program.url}])
        pages[who] = context.new_page()
    yield pages
    for page in pages.values():
        page.context.close()


@pytest.fixture
def opened(request, book, windows):
    """A page by its address, where `ID` stands for the row with the long name."""
    path = request.param
    who = "guest" if path in GUESTS else "blocked" if path in BLOCKED else ""
    if "/ID" in path:
        kind, _, rest = path.partition("/ID")
        page, name = LISTS.get(kind, (kind, UNBROKEN[:60]))
        path = f"{kind}/{book[who].path_of(page, name).rpartition('/')[2]}{rest}"
    page, address = windows[who], book[who].program.url + path
    page.emulate_media(media="screen", color_scheme="light")
    visit(page, address)
    assert page.url == address
    page.evaluate(UNFOLD)
    return page


# WCAG 2.2, 2.5.8: whatever can be pressed is 24 pixels wide and high, unless it is a link within a sentence. A box
# or a circle counts with its label.
SMALL_TARGETS = "() => {" + LOOK + """
  const faults = [];
  for (const item of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (!isShown(item) || item.type === "hidden") continue;
    let box = item.getBoundingClientRect();
    if (item.matches("[type=checkbox], [type=radio]")) {
      const label = item.closest("label") || item.labels[0];
      if (!label) { faults.push(`no label: ${called(item)}`); continue; }
      box = label.getBoundingClientRect();
    }
    const around = item.parentElement.closest("p, li, dd, span, div");
    const isInSentence = getComputedStyle(item).display === "inline"
      && around.textContent.trim().length > item.textContent.trim().length + 10;
    if (!isInSentence && (box.width < 24 || box.height < 24))
      faults.push(`${Math.round(box.width)} by ${Math.round(box.height)}: ${called(item)}`);
  }
  return [...new Set(faults)];
}"""


# Texts of one line stand in the order in which they are read, whatever script a name in them is of.
DISORDER = "() => {" + LOOK + r"""
  const faults = [], block = (node) => {
    let item = node.parentElement;
    while (/^inline|contents/.test(getComputedStyle(item).display)) item = item.parentElement;
    return item;
  };
  const last = new Map();
  for (const node of texts()) {
    if (node.parentElement.closest("svg")) continue;
    const from = node.data.search(/\S/), to = node.data.trimEnd().length;
    const lines = [...rangeOf(node, from, to).getClientRects()], before = last.get(block(node));
    if (before && Math.abs(before.top - lines[0].top) < 8 && before.right > lines[0].left + 1)
      faults.push(`${node.data.trim()} stands before what it follows: ${called(block(node))}`);
    last.set(block(node), lines.at(-1));
    // Category, account and tags, and from where to where: turned round, it would say the contrary.
    let at = from, start = null;
    for (const part of node.data.slice(from, to).split(/ · | → /)) {
      const [end] = rangeOf(node, at, at + part.length).getClientRects();
      if (start && Math.abs(start.top - end.top) < 8 && start.left > end.left)
        faults.push(`turned round: ${called(block(node))}`);
      start = end;
      at += part.length + 3;
    }
  }
  for (const list of document.querySelectorAll(".rows")) {
    const rights = new Set([...list.querySelectorAll(".row > .amt, .row > .e .amt")]
      .filter(isShown).map((amount) => Math.round(amount.getBoundingClientRect().right)));
    if (rights.size > (list.matches(".split") ? 2 : 1)) faults.push(`amounts end at ${[...rights]}`);
  }
  return faults;
}"""


# On paper: black on white, everything that a page holds, and nothing that only a screen can do.
MISPRINTS = "() => {" + LOOK + r"""
  const faults = [], part = (value) => (value /= 255) <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
  const light = (color) => {
    const [red, green, blue] = color.match(/[\d.]+/g).map(Number);
    return .2126 * part(red) + .7152 * part(green) + .0722 * part(blue);
  };
  const ground = getComputedStyle(document.body).backgroundColor;
  if (ground !== "rgb(255, 255, 255)") faults.push(`the ground is ${ground}`);
  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} wide`);
  for (const node of texts()) {
    const style = getComputedStyle(node.parentElement);
    const contrast = 1.05 / (light(node.parentElement.closest("svg") ? style.fill : style.color) + .05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(1)}: ${called(node.parentElement)}`);
  }
  for (const item of document.querySelectorAll("nav a, button, input, select, textarea, summary, .toast, .sheet, .btn"))
    if (item.checkVisibility()) faults.push(`printed: ${called(item)}`);
  for (const item of document.querySelectorAll("main [data-id], main tr, main strong"))
    if (!item.closest("aside, form:not(.two)") && !item.getClientRects().length)
      faults.push(`not printed: ${called(item)}`);
  for (const item of document.querySelectorAll("main *")) {
    const style = getComputedStyle(item);
    if (!isShown(item) || item.closest("svg")) continue;
    if (style.overflow !== "visible" && (item.scrollWidth > item.clientWidth || item.scrollHeight > item.clientHeight))
      faults.push(`cut off: ${called(item)}`);
    if (item.matches("li, tr") && style.breakInside !== "avoid") faults.push(`breaks: ${called(item)}`);
    if (item.matches("a") && style.textDecorationLine !== "none") faults.push(`underlined: ${called(item)}`);
    if (/http|"/.test(getComputedStyle(item, "::after").content)) faults.push(`decorated: ${called(item)}`);
  }
  return [...new Set(faults)];
}"""


# What is looked for at which sizes.
LOOKS = {
    "it does not fit": (MISFITS, SIZES),
    "too small to hit": (SMALL_TARGETS, [(320, 640), (1280, 1024)]),
    "out of order": (DISORDER, [(390, 844), (1280, 1024)]),
}


@pytest.mark.parametrize("opened", PAGES + GUESTS + BLOCKED, indirect=True)
def test_a_page_fits_reads_and_prints(opened):
    """All sizes and paper in one visit of the page."""
    faults = {}
    for width, height in SIZES:
        opened.set_viewport_size({"width": width, "height": height})
        for name, (look, sizes) in LOOKS.items():
            if (width, height) in sizes and (found := opened.evaluate(look)):
                faults[name, width, height] = found
    # As wide as A4 between its margins. Parts that are folded on the screen are folded again.
    opened.set_viewport_size({"width": 680, "height": 1000})
    opened.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = false; })")
    opened.emulate_media(media="print", color_scheme="dark")
    if found := opened.evaluate(MISPRINTS):
        faults["on paper"] = found
    assert faults == {}


@pytest.mark.parametrize("opened", ["/transactions/new", "/accounts", "/categories"], indirect=True)
def test_what_is_typed_is_written_from_its_own_side(opened):
    fields = opened.locator("main :is([name=payee], [name=note], [name=tags], [name=name])")
    assert fields.count()
    for field in fields.all():
        field.fill(ARABIC)
        assert field.evaluate("field => getComputedStyle(field).direction") == "rtl"
