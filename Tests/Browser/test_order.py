"""Rows that are put into an order by dragging, and with keys."""
import pytest
from playwright.sync_api import expect

from long_book import Filler
from steps import continue_as, onboard, visit


def names(page):
    return page.locator("[data-order] > li .t").all_inner_texts()


def grip(page, name):
    return page.locator("[data-order] > li").filter(has=page.get_by_text(name, exact=True)).locator("[data-grip]").first


def drag_by(page, name, distance):
    """Drags a row up or down, in small steps like a hand."""
    handle = grip(page, name)
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + distance, steps=12)
    page.mouse.up()


def drag(page, name, onto):
    """Drags a row to the place of another one."""
    distance = grip(page, onto).bounding_box()["y"] - grip(page, name).bounding_box()["y"]
    drag_by(page, name, distance + (20 if distance > 0 else -20))


def saved(page):
    """Waits until the server has answered the order that is sent meanwhile."""
    return page.expect_response(lambda response: response.url.endswith("/order") and response.request.method == "POST")


def test_accounts_are_dragged_into_an_order(new_page, server):
    page = new_page(size="desktop")
    onboard(page, server)
    visit(page, server.url + "/accounts/order")
    first, *others = names(page)
    assert others
    with saved(page):
        drag(page, first, others[-1])
    assert names(page) == [*others, first]
    expect(page.locator("[data-toast=order-saved]")).to_be_visible()
    # The buttons without the script know their ends.
    expect(page.locator("[name=up]").first).to_be_disabled()
    expect(page.locator("[name=down]").last).to_be_disabled()
    with saved(page):
        drag(page, first, others[0])
    assert names(page) == [first, *others]
    visit(page, server.url + "/accounts")
    expect(page.locator("[data-kind=account] .t").first).to_contain_text(first)


def test_a_category_moves_with_those_inside_it(new_page, server):
    page = new_page(size="desktop")
    person = Filler(server)
    person.onboard()
    category = {"kind": "expense", "icon": "tag", "color": "slate"}
    person.send("/categories", name="Outer", parent="", **category)
    outer = person.path_of("/categories", "Outer").split("/")[-1]
    for name in ("Inside 1", "Inside 2"):
        person.send("/categories", name=name, parent=outer, **category)
    continue_as(page, server, person)
    visit(page, server.url + "/categories/order")

    def below_outer():
        shown = names(page)
        return shown[shown.index("Outer") + 1:][:2]

    assert below_outer() == ["Inside 1", "Inside 2"]
    top = page.locator("[data-order]").first.locator("> li:not(.child) .t")
    place = top.all_inner_texts().index("Outer")
    step = 1 if place == 0 else -1
    with saved(page):
        grip(page, "Outer").press("ArrowDown" if step > 0 else "ArrowUp")
    assert top.all_inner_texts().index("Outer") == place + step
    assert below_outer() == ["Inside 1", "Inside 2"]
    # One inside it stays among its siblings.
    with saved(page):
        drag_by(page, "Inside 2", -300)
    assert below_outer() == ["Inside 2", "Inside 1"]
    visit(page, server.url + "/categories/order")
    assert top.all_inner_texts().index("Outer") == place + step
    assert below_outer() == ["Inside 2", "Inside 1"]


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_rules_are_moved_by_keys_and_the_pointer(new_page, server, size):
    page = new_page(size=size)
    person = Filler(server)
    person.onboard()
    for name in ("One", "Two", "Three"):
        person.send("/rules", name=name, enabled="on", match="all", when_field="payee", when_test="contains",
                    when_value=name, then_note="checked")
    continue_as(page, server, person)
    visit(page, server.url + "/rules")
    assert names(page) == ["One", "Two", "Three"]
    # Both steps are one change.
    with saved(page):
        grip(page, "Three").press("ArrowUp")
        page.keyboard.press("ArrowUp")
    assert names(page) == ["Three", "One", "Two"]
    expect(grip(page, "Three")).to_be_focused()
    visit(page, server.url + "/rules")
    assert names(page) == ["Three", "One", "Two"]
    with saved(page):
        drag(page, "Two", "Three")
    assert names(page) == ["Two", "Three", "One"]
    # Escape puts the row back.
    box = grip(page, "Two").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, box["y"] + 300, steps=8)
    assert names(page) != ["Two", "Three", "One"]
    page.keyboard.press("Escape")
    assert names(page) == ["Two", "Three", "One"]
    page.mouse.up()
    visit(page, server.url + "/rules")
    assert names(page) == ["Two", "Three", "One"]
