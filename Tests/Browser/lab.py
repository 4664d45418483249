"""A reviewer in the lab of `breadly demo`: sets stages, presses the lab's buttons, and acts inside the frames."""
import re

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from conftest import PATIENCE, Server
from people import wait_until
from steps import another_document, visit

ANNA = "Anna Berger"
PROVIDER = "Continue with Google (demo)"
FRAMES_ARE_LOADED = """[...document.querySelectorAll("iframe[data-frame]")].every((frame) => !frame.offsetParent ||
  (frame.contentDocument?.URL !== "about:blank" && frame.contentDocument?.readyState === "complete"))"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """One demo for all journeys of a module: each prepared world is made once."""
    running = Server(tmp_path_factory.mktemp("demo") / "data", command="demo")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def reviewer(demo, chromium):
    """One visitor for all journeys of a module; each stage replaces the world of the one before."""
    context = chromium.new_context(
        viewport={"width": 1920, "height": 1100}, locale="en-IE", timezone_id="Europe/Dublin", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE * 1_000)
    yield Reviewer(context.new_page(), demo.url)
    context.set_offline(True)
    context.close()


class Reviewer:
    def __init__(self, page, url):
        self.page = page
        self.url = url

    def state(self):
        """What `/lab/state.json` says: it also moves the journey on."""
        return self.page.request.get(self.url + "/lab/state.json").json()

    def stage(self, journey):
        """Sets the stage by the button of a card, and comes to the page of the lab."""
        visit(self.page, self.url + "/lab/journeys")
        self.page.locator(f"[id='{journey}']").get_by_role("button", name="Set the stage").click(timeout=PATIENCE * 4_000)
        self.page.wait_for_url(lambda url: not url.endswith("/journeys"), timeout=PATIENCE * 4_000)
        # Otherwise it is the page that says why not.
        assert re.search(r"/lab(\?device=3)?#journey-title$", self.page.url), self.page.locator("main").inner_text()
        assert self.state()["journey"] == journey
        # A frame that loads itself later would take the place of what a script opens in it.
        wait_until(lambda: self.page.evaluate(FRAMES_ARE_LOADED), "the frames are loaded")
        assert not any(self.state()["expectations"]), f"reached before anything was done: {self.tale()}"

    def device(self, number):
        return Device(self, number)

    def comes(self, number, path, text):
        """Opens a page of a device again and again until it shows a text, as a person does after an error."""
        device = self.device(number)
        def look():
            device.open(path)
            return text in device.frame.locator("body").inner_text()
        wait_until(look, f"{text} on {path}")

    # The buttons of the lab, which act in place.

    def clock(self, label):
        """`+1 hour`, `+1 day`, `+4 days`, `+8 days`."""
        self.press(self.panel("Clock"), label)

    def store(self, label):
        """`Subscribe`, `Approval pending`, `Renew`, `Payment failing`, `Cancel`, `Expire`, `Refund`."""
        self.press(self.panel("Store (demo)"), label)

    def bank(self, label):
        """`Works`, `Slow`, `Down`, `Consent ends`, `Too many requests` and so on."""
        panel = self.panel("Bank (demo)")
        option = panel.locator("option").filter(has_text=re.compile(f"^{label}(:|$)"))
        panel.locator("select").select_option(value=option.get_attribute("value"))
        self.press(panel, "Set")

    def network(self, number, label):
        """`On`, `Slow`, `Off`, `Cut`, of a device."""
        self.press(self.page.locator(f".lab-device[data-device='{number}'] form[action$='/network']"), label)

    def kill(self, number, label="now"):
        form = self.page.locator(f".lab-device[data-device='{number}'] form[action$='/kill']")
        form.locator("select").select_option(label=label)
        self.press(form, "Kill")

    def panel(self, heading):
        return self.page.locator("section.panel").filter(
            has=self.page.get_by_role("heading", name=heading, exact=True))

    def press(self, place, label):
        with self.page.expect_response(
                lambda answer: answer.request.method == "POST" and "/lab/d/" not in answer.url) as answer:
            place.get_by_role("button", name=label, exact=True).click()
        # A refusal loads the whole page again, so that the button seems to work.
        assert "/lab/" in answer.value.url and answer.value.status < 400, f"{answer.value.url}: {answer.value.status}"

    def wait_reached(self, journey):
        """Waits for the check mark, in the state and on the page."""
        def reached():
            return next(one for one in self.state()["journeys"] if one["id"] == journey)["state"] == "reached"
        wait_until(reached, lambda: f"{journey}: {self.tale()}")
        expect(self.page.locator(f"[id='{journey}'] [data-walk=reached]")).to_be_visible()

    def tale(self):
        """How far a journey has come, for the message of a failure."""
        state = self.state()
        lines = self.page.locator(".lab-checks li").all_inner_texts()
        devices = [f"{one['n']}: {one['state']} {one['tier']} {one['sync']}" for one in state["devices"]]
        return f"{list(zip(state['expectations'], lines))}, {devices}"


class Device:
    """One device of the world, in its frame on the page of the lab."""

    def __init__(self, reviewer, number):
        self.reviewer = reviewer
        self.number = number
        # As `steps.onboard` and `steps.record` have it of a server.
        self.url = f"{reviewer.url}/lab/d/{number}"

    @property
    def frame(self):
        """The frame as it is now: it is another one once the page of the lab has loaded anew."""
        return self.reviewer.page.locator(f"iframe[data-frame='{self.number}']").element_handle().content_frame()

    def open(self, path="/"):
        """Opens a page of the device, as its links lead to it."""
        visit(self.frame, self.url + path)
        return self

    def link(self, name, exact=True):
        return self.go(self.frame.locator("main").get_by_role("link", name=name, exact=exact).first)

    def button(self, name, exact=True):
        return self.go(self.frame.locator("main").get_by_role("button", name=name, exact=exact).first)

    def go(self, element):
        """Clicks what leads to another page, and waits for that."""
        with another_document(self.frame):
            element.click()
        return self

    def says(self, text):
        """Waits until the frame shows a sentence, which its page may bring by itself. Closed sheets show nothing."""
        expect(self.frame.locator("body")).to_contain_text(text, use_inner_text=True)
        return self

    def cloud_says(self, text):
        """Opens the sheet of the cloud, waits until the page has reported that it says something, and closes it."""
        def reports(request):
            return request.url == self.url + "/opened" and text in " ".join(request.post_data_json["words"].split())
        def look():
            sheet = self.frame.locator("#cloud-sheet")
            try:
                sheet.evaluate("(sheet) => sheet.matches(':popover-open') && sheet.hidePopover()")
                with self.reviewer.page.expect_request(reports, timeout=5_000):
                    self.frame.locator(".cloud").click(timeout=5_000)
                sheet.evaluate("(sheet) => sheet.hidePopover()")
                return True
            except PlaywrightError:
                # The page has loaded itself anew, or says something else yet.
                return False
        wait_until(look, f"the cloud of device {self.number} says {text}")
        return self

    def onboard(self):
        """Answers the questions that are left, with euros and Monday."""
        if "/onboarding/welcome" in self.frame.url:
            self.button("Get started")
        frame = self.frame
        frame.wait_for_url("**/onboarding/currency")
        frame.locator("input[name=currency][value=EUR]").first.check(force=True)
        self.button("Continue")
        frame.wait_for_url("**/onboarding/secondary")
        self.button("Continue")
        frame.wait_for_url("**/onboarding/calendar")
        frame.locator("[name=week_start][value=monday]").check(force=True)
        self.button("Finish")
        return self

    def sign_in(self):
        """From the page of signing in: at the provider, as Anna."""
        self.link(PROVIDER)
        return self.choose(ANNA)

    def choose(self, person):
        return self.go(self.frame.get_by_role("button", name=re.compile(person)))

    def record(self, payee, amount="12.50"):
        """Adds an expense through the full form."""
        self.open("/transactions/new")
        form = self.frame.locator("form[action$='/transactions']")
        form.locator("[name=amount]").fill(amount)
        form.locator("[name=payee]").fill(payee)
        self.go(form.locator("[type=submit]").first)
        return self

    def confirm(self, button):
        """Types the phrase that the page asks for, and sends it."""
        phrase = self.frame.locator("[data-phrase]").inner_text()
        self.frame.locator("[name=confirm]").fill(phrase)
        return self.button(button)
