"""What a person does, in the words of the routes and field names."""

import time
from contextlib import contextmanager

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from conftest import PATIENCE
from people import Person


def visit(page, url):
    """Opens a page, again where the one before reloaded itself at that moment because its state had changed: to
    Chromium the driver is no person whose wish comes first, so that the reload can take the place of what was asked
    for, with an error or without a word."""
    for _ in range(20):
        try:
            return page.goto(url, timeout=PATIENCE * 1_000 / 4)
        except PlaywrightTimeoutError:
            continue
        except PlaywrightError as error:
            if "ERR_ABORTED" not in str(error) and "interrupted by another navigation" not in str(error):
                raise
    return page.goto(url)


def onboard(page, server, currency="EUR"):
    """Gives the browser the cookie of a guest who has finished the onboarding, and opens the overview."""
    person = Person(server)
    person.onboard(currency)
    continue_as(page, server, person)
    visit(page, server.url + "/")
    assert body(page, "data-state") == "local_only"


def continue_as(page, server, person):
    """Gives the browser the cookie of a person who has used the server over HTTP."""
    name, _, value = person.cookie.partition("=")
    page.context.add_cookies([{"name": name, "value": value, "url": server.url}])


@contextmanager
def another_document(frame):
    """Waits until another document has taken the place of the present one, and is complete. A new address of the same
    document is none: the script gives a draft one while its form may already be on its way."""
    wait_until_true(frame, "document.isFormer = true")
    yield
    wait_until_true(frame, "document.readyState === 'complete' && !document.isFormer")


def wait_until_true(frame, expression):
    """Evaluates an expression until it is true, in each document that the frame has meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            if frame.evaluate(expression):
                return
        except PlaywrightError:
            # The document is being replaced.
            pass
        assert time.monotonic() < deadline, expression
        frame.page.wait_for_timeout(20)


def submit(button):
    """Presses a button that sends its form, and waits for the page that answers: the script may look first whether the
    server is there, and a page that is asked for meanwhile would take the form's place."""
    with another_document(button.page.main_frame):
        button.click()


def body(page, attribute):
    return page.locator("body").get_attribute(attribute)


def choose(page, name, value):
    """Picks a value of a select or of a set of radio buttons, whichever the page has."""
    select = page.locator(f"select[name={name}]")
    if select.count():
        select.first.select_option(value)
    else:
        page.locator(f"input[name={name}][value='{value}']").first.check(force=True)


def unfold(form):
    """Opens the part of a transaction's form with its note."""
    rest = form.locator("details", has=form.page.locator("[name=note]"))
    if rest.get_attribute("open") is None:
        rest.locator("summary").click()


def record(page, server, kind="expense", amount="12.50", payee="", category=None, date=None, account=None,
           to_account=None, to_amount=None, currency=None):
    """Through the full form."""
    visit(page, server.url + "/transactions/new")
    form = page.locator("form[action='/transactions']")
    form.locator(f"[name=kind][value={kind}]").check(force=True)
    form.locator("[name=amount]").fill(amount)
    if date:
        form.locator("label:has([name=day][value=''])").click()
        form.locator("[name=date]").fill(date)
    if currency:
        form.locator("[name=currency]").select_option(currency)
    if account:
        form.locator("[name=account]").select_option(label=account)
    if to_account:
        form.locator("[name=to_account]").select_option(label=to_account)
    if to_amount:
        form.locator("[name=to_amount]").fill(to_amount)
    if category:
        form.locator("[name=category]").select_option(label=category)
    if payee:
        form.locator("[name=payee]").fill(payee)
    submit(form.locator("[type=submit]").first)
    page.wait_for_url(lambda url: "/transactions/new" not in url)


def rows(page, kind="transaction"):
    return page.locator(f"[data-kind={kind}][data-id]")
