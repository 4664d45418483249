"""Schedules in Chromium: from the history or by hand, confirmed or skipped, with and without the script."""
from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from long_book import month
from steps import onboard, record, rows, submit, visit


def in_days(number):
    return (date.today() + timedelta(days=number)).isoformat()


def add(page, server, amount, payee, start, asks=False, unit="month"):
    visit(page, server.url + "/schedules")
    form = page.locator("form[action='/schedules']")
    form.locator("[name=amount]").fill(amount)
    form.locator("[name=payee]").fill(payee)
    form.locator("[name=start]").fill(start)
    form.locator("[name=unit]").select_option(unit)
    if asks:
        form.locator("[name=record]").select_option("ask")
    submit(form.get_by_role("button", name="Add schedule"))


def fits(page):
    """Nothing is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_what_is_due_today_is_recorded_at_once_and_can_be_undone(page, server):
    onboard(page, server)
    add(page, server, "12.99", "Netflix", in_days(0))
    # The page after the form has recorded it, and says so.
    expect(page.locator("[data-toast=schedules-recorded]")).to_be_visible()
    assert fits(page)
    visit(page, server.url + "/transactions")
    expect(rows(page)).to_have_count(1)
    expect(rows(page).first).to_contain_text("Netflix")
    visit(page, server.url + "/transactions")
    expect(rows(page)).to_have_count(1)


@pytest.mark.without_script
def test_what_asks_is_confirmed_or_skipped(page, server):
    onboard(page, server)
    add(page, server, "29", "Gym", in_days(-14), asks=True, unit="week")
    due = rows(page, "due")
    expect(due).to_contain_text("3 times since")
    assert fits(page)
    submit(due.get_by_role("button", name="Record it"))
    expect(page.locator("[data-toast=schedule-recorded]")).to_contain_text("Gym was recorded on")
    submit(rows(page, "due").get_by_role("button", name="Skip it"))
    expect(page.locator("[data-toast=schedule-skipped]")).to_contain_text("Gym was skipped on")
    expect(rows(page, "due")).to_contain_text("due on")
    visit(page, server.url + "/")
    expect(page.locator("[data-needs=schedules]")).to_contain_text("1 payment waits to be confirmed")
    visit(page, server.url + "/transactions?month=all")
    expect(rows(page)).to_have_count(1)


@pytest.mark.parametrize("accepts", [True, False])
def test_the_history_offers_a_schedule(page, server, accepts):
    onboard(page, server)
    for back in (3, 2, 1):
        record(page, server, amount="12.99", payee="Netflix", date=f"{month(back)}-28")
    visit(page, server.url + "/schedules")
    question = page.locator("[data-kind=suggestion]")
    expect(question).to_contain_text("Netflix, €12.99, monthly: keep an eye on it?")
    if not accepts:
        submit(question.get_by_role("button", name="No, thanks"))
        expect(page.locator("[data-kind=suggestion]")).to_have_count(0)
        return
    with page.expect_navigation():
        question.get_by_role("link", name="Keep an eye on it").click()
    form = page.locator("form[action='/schedules']")
    expect(form.locator("[name=payee]")).to_have_value("Netflix")
    expect(form.locator("[name=start]")).to_have_value(f"{month(0)}-28")
    submit(form.get_by_role("button", name="Add schedule"))
    expect(rows(page, "schedule")).to_have_count(1)
    expect(page.locator("[data-kind=suggestion]")).to_have_count(0)
