"""The page of the reviewers' lab: side by side and on a phone, with and without its script, in several tabs."""
import re

import pytest
from playwright.sync_api import expect

from conftest import Server
from lab import ANNA, PROVIDER, Reviewer, demo, reviewer  # noqa: F401 - fixtures
from people import wait_until
from steps import visit


def world(page, url, name):
    visit(page, url + "/lab")
    page.select_option("#world", name)
    page.get_by_role("button", name="Begin it").click()
    page.wait_for_url("**/lab")


def test_the_devices_stand_side_by_side_and_the_diagram_is_lit(reviewer):
    page = reviewer.page
    world(page, reviewer.url, "premium")
    for number in [1, 2]:
        frame = page.frame_locator(f"iframe[data-frame='{number}']")
        expect(frame.get_by_role("heading", name="Overview")).to_be_visible()
    expect(page.locator("[data-node=synced] [data-device='1'][data-on]")).to_be_attached()
    expect(page.locator("[data-node=synced] [data-device='2'][data-on]")).to_be_attached()
    expect(page.locator("[data-transitions='1'] li").first).to_contain_text("→ synced")


def test_a_button_acts_in_place_and_the_page_follows(reviewer):
    page = reviewer.page
    world(page, reviewer.url, "premium")
    reviewer.device(1).open("/transactions")
    reviewer.network(1, "Off")
    expect(page.locator("[data-network='1'] [aria-pressed]")).to_have_text("Off")
    reviewer.clock("+1 day")
    expect(page.locator("[data-clock]")).to_contain_text("2026-11-22")
    reviewer.store("Cancel")
    expect(page.locator("[data-store]")).to_contain_text("ends on")
    # The frame was not loaded again: it is still where the reviewer was.
    expect(page.frame_locator("iframe[data-frame='1']").get_by_role("heading", name="Transactions")).to_be_visible()


# The journeys with the most signs, and one whose signs are long.
@pytest.mark.parametrize("journey", ["goes-premium", "connect-a-bank", "scenario-9", "receipt-offline", "expires-offline"])
@pytest.mark.parametrize("size", [(1440, 900), (1920, 1080)])
def test_what_to_expect_is_in_sight_beside_the_devices(demo, chromium, size, journey):
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    Reviewer(page, demo.url).stage(journey)
    hidden = page.evaluate("""() => {
      const end = Math.min(innerHeight, document.querySelector(".lab-read").getBoundingClientRect().bottom);
      return [...document.querySelectorAll(".lab-checks li")].filter((line) => line.getBoundingClientRect().bottom > end)
        .map((line) => line.textContent);
    }""")
    assert hidden == []
    context.close()


def test_a_button_without_a_script_returns_to_the_device_that_was_shown(demo, chromium):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    page = context.new_page()
    world(page, demo.url, "premium")
    page.get_by_role("link", name="Device 2", exact=True).click()
    page.locator("[data-network='2']").get_by_role("button", name="Slow").click()
    expect(page.locator("[data-network='2'] [aria-pressed]")).to_have_text("Slow")
    expect(page.locator(".lab-device[data-device='2']")).to_be_visible()
    expect(page.locator(".lab-device[data-device='1']")).to_be_hidden()
    context.close()


def test_a_phone_shows_one_device_at_a_time_and_none_loses_its_page(demo, chromium):
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    world(page, demo.url, "premium")
    tabs = page.get_by_role("navigation", name="Devices")
    device, other = (page.locator(f".lab-device[data-device='{number}']") for number in (1, 2))
    expect(device).to_be_visible()
    expect(other).to_be_hidden()
    # A form that is half filled is still there after a look at the other device, which is loaded for that look.
    frame = page.locator("iframe[data-frame='1']").element_handle().content_frame()
    visit(frame, demo.url + "/lab/d/1/transactions/new")
    frame.locator("form[action$='/transactions'] [name=payee]").fill("Half a form")
    assert "/lab/d/2" not in page.locator("iframe[data-frame='2']").element_handle().content_frame().url
    tabs.get_by_role("link", name="Device 2").click()
    expect(other).to_be_visible()
    expect(device).to_be_hidden()
    expect(page.frame_locator("iframe[data-frame='2']").get_by_role("heading", name="Overview")).to_be_visible()
    assert page.url.endswith("/lab?device=2")
    expect(tabs.locator("[aria-current]")).to_have_text("Device 2")
    tabs.get_by_role("link", name="Device 1").press("Enter")
    expect(page.frame_locator("iframe[data-frame='1']").locator("form[action$='/transactions'] [name=payee]")
           ).to_have_value("Half a form")
    tabs.get_by_role("link", name="Controls").click()
    expect(page.get_by_role("button", name="Expire", exact=True)).to_be_in_viewport()
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
    context.close()


@pytest.mark.parametrize("width, height, shown", [(1280, 900, 2), (1440, 900, 2), (1920, 1080, 3)])
def test_a_desk_shows_devices_as_wide_as_phones_beside_the_card_and_the_controls(
        demo, chromium, width, height, shown):
    context = chromium.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    lab = Reviewer(page, demo.url)
    lab.stage("expires")
    frames = page.locator("iframe[data-frame]:visible")
    expect(frames).to_have_count(shown)
    assert all(frame.bounding_box()["width"] >= 360 for frame in frames.all())
    for button in ["Expire", "+1 hour", "Fresh"]:
        expect(page.get_by_role("button", name=button, exact=True)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", name="The subscription ends")).to_be_in_viewport(ratio=1)
    for state in ["uninitialized", "synced", "deleting_account"]:
        expect(page.locator(f"[data-node={state}] rect")).to_be_in_viewport(ratio=0.9)
    if shown == 2:
        page.get_by_role("link", name="Device 3", exact=True).click()
        expect(page.locator(".lab-tabs [aria-current]")).to_have_text(["Device 1", "Device 3"])
    sign_in = page.frame_locator("iframe[data-frame='3']").get_by_role("link", name="Sign in", exact=True)
    expect(sign_in).to_be_in_viewport(ratio=1)
    context.close()


def test_the_steps_to_do_lead_the_card_and_move_on_by_themselves(reviewer):
    page = reviewer.page
    reviewer.stage("goes-premium")
    lead = page.locator(".lab-card .lab-lead")
    expect(lead).to_contain_text("See Premium")
    expect(page.locator("article[data-meant]")).to_have_count(1)
    reviewer.device(1).open("/subscription")
    expect(lead).to_contain_text("Press “Subscribe (demo)”.")
    expect(lead).not_to_contain_text("See Premium")
    reviewer.device(1).button("Subscribe (demo)").says("Premium activated!")
    reviewer.comes(1, "/sync", "All caught up")
    # The journey is walked: the card leads to another one.
    expect(lead.get_by_role("button", name="Next journey:")).to_be_visible()
    expect(page.locator("[data-meant]")).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)])
@pytest.mark.parametrize("has_script", [True, False])
def test_the_next_journey_begins_at_the_heading_of_its_card(demo, chromium, size, has_script):
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]}, java_script_enabled=has_script)
    page = context.new_page()
    visit(page, demo.url + "/lab/journeys")
    page.locator("#sign-out-guest").get_by_role("button", name="Set the stage").click()
    frame = page.locator("iframe[data-frame='1']").element_handle().content_frame()
    visit(frame, demo.url + "/lab/d/1/settings")
    visit(page, demo.url + "/lab")
    page.locator("button:visible").filter(has_text="Next journey:").first.click()
    heading = page.locator("#journey-title")
    expect(heading).not_to_have_text("Sign out: a guest")
    expect(heading).to_be_focused()
    # The devices stay in sight.
    assert page.evaluate("scrollY") == 0
    context.close()


def test_a_phone_has_the_way_in_and_the_lead_above_the_device(demo, chromium):
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    visit(page, demo.url + "/lab")
    start, device = page.get_by_text("Start here"), page.locator(".lab-device[data-device='1']")
    expect(start).to_be_in_viewport()
    assert start.bounding_box()["y"] < device.bounding_box()["y"]
    assert page.locator("iframe").count() == 0
    page.get_by_role("button", name="A first visit").click()
    lead = page.locator(".lab-above")
    expect(lead).to_be_visible()
    assert lead.bounding_box()["y"] < device.bounding_box()["y"]
    expect(page.locator(".lab-card .lab-lead")).to_be_hidden()
    context.close()


def test_what_cannot_be_done_is_said_in_place(reviewer):
    page = reviewer.page
    world(page, reviewer.url, "new-guest")
    expect(page.get_by_role("button", name="Expire", exact=True)).to_be_disabled()
    reviewer.device(1).open("/settings")
    page.locator("form[data-place=session-2] button").click()
    expect(page.get_by_role("alert").filter(has_text="There is no session")).to_be_visible()
    # The device has not lost its page.
    assert reviewer.device(1).frame.url.endswith("/lab/d/1/settings")


def test_no_button_moves_while_the_world_changes(reviewer):
    page = reviewer.page
    world(page, reviewer.url, "premium")
    places = """() => [...document.querySelectorAll(".lab-controls button, .lab-device .lab-line button")].map((button) => {
      const part = button.closest(".lab-controls, .lab-device");
      return [button.textContent.trim(), Math.round(button.getBoundingClientRect().top - part.getBoundingClientRect().top)];
    })"""
    expect(page.locator("[data-store]")).to_contain_text("renews on")
    before = page.evaluate(places)
    reviewer.kill(1, "while it signs out")
    reviewer.store("Payment failing")
    expect(page.locator("[data-store]")).to_contain_text("the store tries until")
    expect(page.locator("[data-armed='1']")).to_be_visible()
    assert page.evaluate(places) == before


def test_the_demo_sign_in_is_no_lab_inside_of_the_lab(reviewer):
    world(reviewer.page, reviewer.url, "empty")
    device = reviewer.device(1).says("Get started").link("Sign in").link(PROVIDER)
    expect(device.frame.get_by_role("heading", name="Choose a person")).to_be_visible()
    expect(device.frame.get_by_text("Demo", exact=True)).to_be_visible()
    expect(device.frame.get_by_role("link")).to_have_count(0)
    device.choose(ANNA).says("Which currency")


def test_an_armed_process_says_so_until_it_has_died(reviewer):
    page = reviewer.page
    world(page, reviewer.url, "guest")
    reviewer.device(1).says("Spent this month")
    reviewer.kill(1, "while rows move to the account")
    expect(page.locator("[data-armed='1']")).to_contain_text("Its process dies while rows move to the account.")
    # Another press kills at once, unless another choice is made.
    expect(page.locator("#kill-1")).to_have_value("now")
    expect(page.locator("[data-armed='2']")).to_be_hidden()
    said = page.locator("[data-said]")
    expect(said).to_have_text("Device 1: its process dies while rows move to the account, and is then started again.")
    reviewer.device(1).open("/sign-in").sign_in()
    expect(page.locator("[data-armed='1']")).to_be_hidden()
    expect(said).to_have_text("Device 1: its process died while rows move to the account, and was started again.")
    # Its page comes back by itself, also if it says that the process is starting again.
    reviewer.device(1).says("Spent this month")


def test_the_printed_report_has_the_list_and_what_was_expected_of_the_walked(reviewer):
    page = reviewer.page
    reviewer.stage("sign-out-guest")
    reviewer.device(1).open("/settings")
    reviewer.wait_reached("sign-out-guest")
    visit(page, reviewer.url + "/lab/journeys")
    page.emulate_media(media="print")
    try:
        expect(page.get_by_role("heading", name="report of the guided journeys")).to_be_visible()
        expect(page.locator("main")).to_contain_text(
            re.compile(r"\d+ of \d+ journeys walked, \d+ on stage, \d+ not walked"))
        expect(page.locator(".lab-index li:visible")).to_have_count(len(reviewer.state()["journeys"]))
        card = page.locator("#sign-out-guest")
        expect(card.locator(".lab-checks li[data-reached]").first).to_be_visible()
        expect(card.locator("ol")).to_be_hidden()
        expect(card.locator(".lab-source").last).to_contain_text("UTC")
        expect(page.locator("[data-journey-state=open]:visible")).to_have_count(0)
    finally:
        page.emulate_media(media="screen")


def test_two_tabs_share_one_world_and_neither_stands_still(demo, chromium):
    context = chromium.new_context()
    one, two = context.new_page(), context.new_page()
    world(one, demo.url, "premium")
    visit(two, demo.url + "/lab")
    expect(two.frame_locator("iframe[data-frame='1']").get_by_role("heading", name="Overview")).to_be_visible()
    two.get_by_role("button", name="+1 day").click()
    expect(two.locator("[data-clock]")).to_contain_text("2026-11-22")
    one.bring_to_front()
    expect(one.locator("[data-clock]")).to_contain_text("2026-11-22")
    # A new world: the other tab has its frames as well.
    world(two, demo.url, "guest")
    one.bring_to_front()
    expect(one.frame_locator("iframe[data-frame='1']").get_by_text("Greenmarket").first).to_be_visible()
    expect(one.locator("#world")).to_have_value("guest")
    expect(one.get_by_text("Another tab has begun this world")).to_be_visible()
    expect(two.get_by_text("Another tab has begun this world")).to_be_hidden()
    one.reload()
    expect(one.locator("[data-clock]")).to_be_visible()
    expect(one.get_by_text("Another tab has begun this world")).to_be_hidden()
    # Six connections for one host: the event streams of both tabs must leave one for a page.
    one.goto(demo.url + "/lab/journeys")
    expect(one.get_by_role("heading", name="Journeys", exact=True)).to_be_visible()
    context.close()


def test_a_sentence_in_a_sheet_is_read_once_the_sheet_is_open(reviewer):
    reviewer.stage("scenario-2")
    device = reviewer.device(1).open("/")
    expect(device.frame.locator("#cloud-sheet")).to_contain_text("NOT backed up to the cloud")
    reviewer.page.wait_for_function("document.querySelector('[data-state-of=\"1\"]').textContent === 'local only'")
    assert reviewer.state()["expectations"][0] is False
    device.frame.locator(".cloud").click()
    wait_until(lambda: reviewer.state()["expectations"][0], "the sentence was read")
    expect(reviewer.page.locator(".lab-checks li").first).to_have_attribute("data-reached", "")


def test_a_sheet_that_was_opened_before_the_script_has_come_is_read(reviewer):
    reviewer.stage("scenario-2")
    held = []
    reviewer.page.route("**/app-*.js", lambda route: held.append(route))
    device = reviewer.device(1)
    device.frame.goto(device.url + "/", wait_until="commit")
    device.frame.locator(".cloud").click()
    expect(device.frame.locator("#cloud-sheet")).to_be_visible()
    wait_until(lambda: device.frame.evaluate("true") and held, "the script is asked for")
    assert reviewer.state()["expectations"][0] is False
    held[0].continue_()
    reviewer.page.unroute("**/app-*.js")
    wait_until(lambda: reviewer.state()["expectations"][0], "the sentence was read")


def test_without_a_script_the_lab_says_what_is_different(demo, chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(demo.url + "/lab")
    # The browser of the tests is one whose scripts are blocked, which does not show what is for browsers without them.
    assert "Without JavaScript, states and marks stand still" in page.locator("noscript").inner_text()
    visit(page, demo.url + "/lab/journeys")
    page.locator("#scenario-2").get_by_role("button", name="Set the stage").click()
    expect(page.frame_locator("iframe[data-frame='1']").get_by_role("heading", name="Overview")).to_be_visible()
    visit(page, demo.url + "/lab")
    expect(page.locator(".lab-checks li").first).to_have_attribute("data-reached", "")
    # The tabs of all devices that are shown are lit.
    page.set_viewport_size({"width": 1440, "height": 900})
    colours = [page.get_by_role("link", name=f"Device {number}", exact=True).evaluate(
        "(tab) => getComputedStyle(tab).backgroundColor") for number in (1, 2, 3)]
    assert colours[0] == colours[1] != colours[2]
    context.close()


def test_the_keyboard_passes_over_the_devices(demo, chromium):
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    world(page, demo.url, "guest")
    for name in ["Skip to content", "Skip to the journey", "Skip to the controls"]:
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name=name)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="+1 hour")).to_be_focused()
    context.close()


def test_a_page_whose_world_is_gone_says_so_and_begins_a_new_one(tmp_path, chromium):
    first = Server(tmp_path / "data", command="demo")
    context = chromium.new_context()
    page = context.new_page()
    world(page, first.url, "guest")
    port = first.port
    first.stop()
    silent = page.get_by_role("alert").filter(has_text="The demo does not answer")
    expect(silent).to_be_visible()
    # Another demo at the same address knows none of the worlds.
    second = Server(tmp_path / "data", command="demo", port=port)
    frame = page.frame_locator("iframe[data-frame='1']")
    wait_until(lambda: "put away" in page.locator("body").inner_text(), "the page says that the world was put away")
    page.get_by_role("button", name="Begin with three new browsers").first.click()
    expect(frame.get_by_text("Get started")).to_be_visible()
    expect(silent).to_be_hidden()
    second.stop()
    context.close()


def test_the_storybook_shows_a_page_at_two_widths(reviewer):
    page = reviewer.page
    visit(page, reviewer.url + "/lab/pages")
    stories = page.locator("a[href*='/lab/pages/']")
    assert stories.count() > 300
    page.get_by_role("searchbox").fill("budget")
    page.get_by_role("button", name="Search").click()
    assert 1 < stories.count() < 100
    stories.first.click()
    expect(page.locator("iframe")).not_to_have_count(0)
    expect(page.frame_locator("iframe >> nth=0").locator("body")).to_be_visible()
    tops = page.locator("iframe").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert len(tops) == 4 and tops[0] == tops[1], "the phones in light and in dark stand side by side"


def test_a_message_with_buttons_has_room_for_its_words_on_a_phone(demo, chromium):
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    visit(page, demo.url + "/lab/pages")
    links = page.locator("a[href*='/lab/pages/messages-toast-']").evaluate_all("all => all.map((link) => link.href)")
    assert len(links) > 10
    for link in links:
        visit(page, link.removesuffix("/view") + "?theme=light")
        sizes = page.locator(".toast").first.evaluate("""(toast) => {
          const { width } = toast.querySelector("p").getBoundingClientRect();
          return { words: width, height: toast.offsetHeight, overflow: toast.scrollWidth - toast.offsetWidth };
        }""")
        # Words on one line need no more room.
        assert sizes["words"] > 130 or sizes["height"] < 60, f"{link}: {sizes}"
        assert sizes["overflow"] <= 0, f"{link}: {sizes}"
    context.close()
