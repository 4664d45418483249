"""Totals of several currencies: by currency for a guest, converted with rates, and the sentences beside them."""
import datetime
import sqlite3

from conftest import PATIENCE
from long_book import month
from playwright.sync_api import expect
from steps import body, onboard, record, rows, visit
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


def test_a_guest_sees_totals_by_currency_and_any_month(page, server):
    travel(page, server)
    visit(page, server.url + "/")
    expect(page.locator("main")).to_contain_text("Also in USD")
    expect(page.locator("main")).to_contain_text(UPGRADE)
    assert page.locator("[data-converted]").count() == 0
    page.locator("a[rel=prev]").first.click()
    page.wait_for_url(f"**/?month={month(1)}")
    expect(page.locator("main")).to_contain_text("Accounts at the end of")
    expect(page.locator("main")).not_to_contain_text("this month")
    visit(page, server.url + "/rates")
    expect(page.locator("main")).to_contain_text(UPGRADE)


def test_premium_sees_one_total_and_confirms_an_estimate(new_page, premium):
    page = new_page(size="desktop")
    travel(page, premium)
    sign_up(page, premium, "ann")
    put_rates(premium, premium)
    visit(page, premium.url + "/")
    expect(page.locator("body")).to_have_attribute("data-tier", "premium")
    # 12.50 and 7.77 dollars.
    spent = page.locator("dd[data-converted][data-amount='-1968']")
    expect(spent).to_have_attribute("data-rate-date", datetime.datetime.now(datetime.timezone.utc).date().isoformat())
    expect(spent).to_contain_text("≈")
    expect(page.locator("main")).to_contain_text("Of it in USD")
    page.locator("[data-rates] a").first.click()
    page.wait_for_url("**/rates")
    expect(page.locator("tr[data-rate=USD]")).to_contain_text("1.0823")
    visit(page, premium.url + "/transactions/new")
    form = page.locator("form[action='/transactions']")
    form.locator("[name=amount]").fill("20")
    # The account brings its currency.
    form.locator("[name=account]").select_option(label="Cash")
    form.locator("[name=currency]").select_option("USD")
    form.locator("[name=payee]").fill("Motel")
    form.locator("[type=submit]").first.click()
    expect(page.locator("main")).to_contain_text("correct it if you know what was charged, then save")
    expect(page.locator("[name=to_amount]")).to_have_value("18.48")
    page.locator("form[action='/transactions'] [type=submit]").first.click()
    expect(rows(page).filter(has_text="Motel")).to_contain_text("18.48")


def test_a_cloud_out_of_reach_is_told_beside_the_total(apart, new_page):
    server, line, cloud = apart
    page = new_page(size="phone")
    travel(page, server)
    sign_up(page, server, "ann")
    put_rates(server, cloud, days_ago=3)
    visit(page, server.url + "/")
    expect(page.locator("[data-rates]").first).to_contain_text("hours ago")
    line.is_cut = True
    record(page, server, amount="1.00", payee="Kiosk", account="Cash")
    visit(page, server.url + "/")
    expect(page.locator("[data-rates]").first).to_contain_text("Using cached rates from", timeout=PATIENCE * 1_000)
    assert body(page, "data-sync") == "offline"
