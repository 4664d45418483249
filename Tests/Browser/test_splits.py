"""Transactions over several categories in Chromium."""
from playwright.sync_api import expect

from steps import onboard, rows, submit, visit


def new_form(page, server, amount="48.50"):
    visit(page, server.url + "/transactions/new")
    form = page.locator("form[action='/transactions']")
    form.locator("[name=amount]").fill(amount)
    form.locator("[name=payee]").fill("Market")
    form.get_by_text("Split over several categories").click()
    return form


def fill(form, place, category=None, amount=None, note=None):
    if category:
        form.locator("[name=split_category]").nth(place).select_option(label=category)
    if amount:
        form.locator("[name=split_amount]").nth(place).fill(amount)
    if note:
        form.locator("[name=split_note]").nth(place).fill(note)


def save(form):
    submit(form.locator("button.primary[type=submit]"))


def fits(page):
    """Nothing is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_enter_key_saves(page, server):
    onboard(page, server)
    visit(page, server.url + "/transactions/new")
    form = page.locator("form[action='/transactions']")
    form.locator("[name=amount]").fill("3")
    form.locator("[name=payee]").fill("Kiosk")
    form.locator("[name=payee]").press("Enter")
    page.wait_for_url(lambda url: "/transactions/new" not in url)
    expect(rows(page).filter(has_text="Kiosk")).to_be_visible()


def test_a_purchase_is_split_and_found_by_its_parts(page, server):
    onboard(page, server)
    form = new_form(page, server)
    assert fits(page)
    fill(form, 0, "Groceries", "12", "soup")
    fill(form, 1, "Health")
    save(form)
    visit(page, server.url + "/transactions")
    row = rows(page).first
    expect(row.locator("[data-split]")).to_have_text(["Groceries €12.00 (soup)", "Health €36.50"])
    for part in row.locator("[data-split]").all():
        expect(part).to_be_visible()
        box = part.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]
    assert fits(page)
    page.locator("#q").fill("soup")
    submit(page.locator("form[role=search] button[type=submit]").first)
    expect(rows(page)).to_have_count(1)
    rows(page).first.locator("a").click()
    expect(page.locator("fieldset[data-split]")).to_have_count(2)
    expect(page.locator("[name=split_amount]").nth(1)).to_have_value("36.50")


def test_a_transfer_has_no_parts(page, server):
    onboard(page, server)
    form = new_form(page, server)
    expect(form.locator("[name=split_amount]").first).to_be_visible()
    form.locator("[name=category]").select_option(label="Groceries")
    form.locator("[name=kind][value=transfer]").check(force=True)
    expect(form.locator("[name=split_amount]").first).to_be_hidden()
    # The hidden category is not sent, and is back with another kind.
    expect(form.locator("[name=category]")).to_be_disabled()
    form.locator("[name=kind][value=expense]").check(force=True)
    expect(form.locator("[name=category]")).to_be_enabled()
    form.locator("[name=kind][value=transfer]").check(force=True)
    save(form)
    visit(page, server.url + "/transactions")
    expect(rows(page)).to_have_count(1)


def test_the_rest_goes_to_the_category_and_is_said_while_one_types(page, server):
    onboard(page, server)
    form = new_form(page, server)
    form.locator("[name=category]").select_option(label="Groceries")
    left = form.locator("[data-left]")
    expect(left).to_have_text("")
    for amount, words in (("12", "36.50 EUR left"), ("40%", "29.10 EUR left"), ("10+2*3", "32.50 EUR left"),
                          ("50", "1.50 EUR too much"), ("x", ""), ("12", "36.50 EUR left")):
        fill(form, 1, "Health", amount)
        expect(left).to_have_text(words)
    expect(form.locator("[name=category] option:checked")).to_have_text("Groceries")
    # One button saves, below all that was unfolded.
    saves = form.get_by_role("button", name="Save", exact=True)
    expect(saves).to_have_count(1)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert form.locator("[name=more_parts]").bounding_box()["y"] < saves.bounding_box()["y"]
    save(form)
    visit(page, server.url + "/transactions")
    expect(rows(page).first.locator("[data-split]")).to_have_text(["Groceries €36.50", "Health €12.00"])


def test_a_hidden_field_with_an_error_is_shown(server, new_page):
    page = new_page(javascript=False)
    onboard(page, server)
    form = new_form(page, server)
    form.locator("[name=category]").select_option(label="Groceries")
    fill(form, 0, "Groceries", "12")
    form.locator("[name=kind][value=transfer]").check(force=True)
    expect(form.locator("[name=category]")).to_be_hidden()
    form.locator("button.primary[type=submit]").click()
    for field in ("category", "split"):
        expect(page.locator(f"[role=alert][data-field={field}]")).to_be_visible()
    form.locator("[name=category]").select_option(label="No category")
    fill(form, 0, "No category")
    form.locator("[name=split_amount]").first.fill("")
    form.locator("button.primary[type=submit]").click()
    page.wait_for_url(lambda url: "month=" in url)
    expect(rows(page)).to_have_count(1)
