"""Totals of several currencies: by currency for a guest, converted with rates, and the sentences beside them."""
import datetime
import sqlite3

from playwright.sync_api import expect

from long_book import month
from steps import onboard, record, rows, visit
from test_accounts import sign_up

UPGRADE = "Upgrade to Breadly Premium to see converted totals in your base currency."
RATES = {"USD": "1.0823", "CHF": "0.9317", "JPY": "180.5"}


def put_rates(server, cloud, days_ago=0):
    """Imports rates into the cloud, and puts them into the book of each device as if they had arrived there."""
    date = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=days_ago)
    day = (date - datetime.date(1970, 1, 1)).days
    server.stop()
    file = server.folder.parent / "rates.xml"
    file.write_text(
        "<g:Envelope xmlns:g='http://www.gesmes.org/xml/2002-08-01'"
        " xmlns='http://www.ecb.int/vocabulary/2002-08-01/eurofxref'><g:subject>Reference rates</g:subject>"
        f"<Cube><Cube time='{date}'>"
        + "".join(f"<Cube currency='{code}' rate='{rate}'/>" for code, rate in RATES.items())
        + "</Cube></Cube></g:Envelope>")
    cloud.run("rates", "import", file)
    for path in (server.folder / "devices").rglob("*.sqlite"):
        book = sqlite3.connect(path)
        with book:
            book.execute("DELETE FROM rates")
            book.executemany("INSERT INTO rates (currency, rate, day, source, base) VALUES (?, ?, ?, 'ecb', 'EUR')",
                             [(code, rate, day) for code, rate in RATES.items()])
        book.close()
    server.wanted_port = server.port
    server.start()


def travel(page, server):
    """An account in dollars with a purchase, beside one in euro."""
    onboard(page, server)
    visit(page, server.url + "/accounts")
    form = page.locator("form[action='/accounts']")
    form.locator("[name=name]").fill("Dollars")
    form.locator("[name=currency]").select_option("USD")
    form.locator("[type=submit]").first.click()
    expect(rows(page, "account").filter(has_text="Dollars")).to_be_visible()
    record(page, server, amount="12.50", payee="Bakery", account="Cash")
    record(page, server, amount="7.77", payee="Diner", account="Dollars", currency="USD")


def set_budget(page, server, limit):
    visit(page, server.url + "/budgets")
    form = page.locator("form[action='/budgets']")
    form.locator("[name=limit]").fill(limit)
    form.locator("[type=submit]").first.click()
    expect(rows(page, "budget")).to_have_count(1)


def test_free_sees_totals_by_currency_on_every_page(new_page, server):
    page = new_page(size="phone")
    travel(page, server)
    sign_up(page, server, "ann")
    expect(page.locator("body")).to_have_attribute("data-tier", "free")
    set_budget(page, server, "100")
    for path, dollars in [("/", "Also in USD"), ("/transactions", "Out, USD"), ("/accounts", "Together, USD"),
                          ("/reports", "$7.77"), ("/reports?group=month", "$7.77"), ("/rates", "")]:
        visit(page, server.url + path)
        # On a phone, the list has its sentence beside the form of a desk.
        expect(page.locator("main")).to_contain_text(dollars)
        expect(page.locator("main")).to_contain_text(UPGRADE)
        assert page.locator("[data-converted]").count() == 0, path
    visit(page, server.url + "/budgets")
    expect(rows(page, "budget")).to_contain_text("€12.50 of €100.00 spent")
    expect(page.locator("main")).to_contain_text(
        "1 expense of this month is in another currency and is not counted. Upgrade to Premium to track all currencies.")
    record(page, server, amount="3.00", payee="Kiosk", account="Dollars", currency="USD")
    expect(page.locator("body")).to_contain_text(
        "This transaction is in USD and won't be included in your budget totals. "
        "Upgrade to Premium to track all currencies.")


def test_premium_sees_converted_budgets_accounts_and_reports(new_page, premium, size):
    page = new_page(size=size)
    travel(page, premium)
    sign_up(page, premium, "ann")
    put_rates(premium, premium)
    set_budget(page, premium, "100")
    # 12.50 and 7.77 dollars.
    spent = page.locator("[data-kind=budget] [data-converted]")
    expect(spent).to_have_text("≈ €19.68")
    expect(page.locator("main")).to_contain_text("With 1 expense in another currency, converted at the latest rate.")
    with page.expect_navigation():
        spent.click()
    expect(rows(page)).to_have_count(2)
    visit(page, premium.url + "/accounts")
    together = page.locator("main dd [data-converted]")
    expect(together).to_have_attribute("data-amount", "-1968")
    expect(page.locator("main")).to_contain_text("Of it in USD")
    with page.expect_navigation():
        together.click()
    expect(page.locator(".tabs [aria-current]").first).to_have_text("Net worth")
    for group, amount in [("category", "1968"), ("account", "718"), ("month", "1968"), ("flow", "1968"),
                          ("worth", "-1968")]:
        visit(page, premium.url + f"/reports?group={group}&from={month(0)}&to={month(0)}")
        page.locator("summary", has_text="The numbers").first.click()
        cell = page.locator(f"td[data-converted][data-amount='{amount}']").first
        expect(cell).to_contain_text("≈")
        expect(cell).to_contain_text("$7.77")
        expect(page.locator("main")).to_contain_text("Rates of ")
        assert page.locator("main").get_by_text(UPGRADE).count() == 0
        if group in ("category", "month", "flow"):
            with page.expect_navigation():
                cell.locator("a").click()
            expect(rows(page)).to_have_count(2)
            expect(page.locator(".phone-only dd, #totals dd").locator("visible=true").nth(1)).to_contain_text("€19.68")
            if group == "flow":
                expect(page.locator("#list .tag")).to_have_text("Cash, bank and cards")
