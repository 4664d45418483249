"""Walks each scenario of the entitlements in the lab, as its card says, to its check mark."""
import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from lab import BEN, demo, reviewer  # noqa: F401: fixtures
from people import wait_until

ACTIVATED = "Premium activated! Cloud sync is on."
ENDED = "Sync has been disabled because your subscription ended."
WAITS = "1 change is waiting here and will be uploaded later."
# The walk of each card, by the card's id.
SCRIPTS = {}


def walk(journey):
    def keep(script):
        SCRIPTS[journey] = script
        return script
    return keep


# What a card says in a few words.

def from_sheet(device, button, sheet, name):
    """Opens a sheet and follows a link in it, again where the page has loaded itself anew in between."""
    for patience in [5_000] * 20 + [None]:
        frame = device.frame
        try:
            # A sheet that is open already is closed by its button.
            if not frame.locator(sheet).is_visible():
                frame.locator(button).click(timeout=patience)
            with frame.expect_navigation(timeout=patience):
                frame.locator(sheet).get_by_role("link", name=name, exact=True).click(timeout=patience)
            return device
        except PlaywrightTimeoutError:
            continue
        except PlaywrightError as error:
            # The page that answers has reloaded itself at once, because its state had changed.
            if "ERR_ABORTED" not in str(error):
                raise
            device.frame.wait_for_load_state()
            return device
    raise AssertionError(f"{name} cannot be pressed")


def from_cloud(device, name):
    """Presses the cloud in the header, then a link of its sheet."""
    return from_sheet(device, ".cloud", "#cloud-sheet", name)


def settings(device):
    """Presses More, then Settings."""
    return from_sheet(device, "button[popovertarget=more-sheet]", "#more-sheet", "Settings")


def check_again(device):
    return from_cloud(device, "Subscription").button("Check again")


def is_in(device, state):
    wait_until(lambda: device.state["state"] == state, lambda: f"{device.number}: {device.state}")


def expectations(lab, count):
    """Waits until the first expectations have come true, as a reviewer sees on the card."""
    wait_until(lambda: all(lab.state()["expectations"][:count]), lab.tale)


# The cards.

@walk("scenario-1")
def new_user(lab):
    one = lab.device(1)
    from_cloud(one, "Sign in").sign_in(BEN)
    one.cloud_says("You are signed in, but your data is NOT backed up to the cloud.")


@walk("scenario-2")
def returning_free(lab):
    one = lab.device(1)
    one.cloud_says("You are signed in, but your data is NOT backed up to the cloud.")
    from_cloud(one, "See Premium").button("Check again")
    one.says("Checked: you do not have Premium")


@walk("scenario-3")
def just_subscribed(lab):
    one = lab.device(1)
    from_cloud(one, "See Premium").button("Subscribe (demo)")
    one.says(ACTIVATED)


@walk("scenario-4")
def returning_premium(lab):
    one = lab.device(1)
    one.says("Backed up")
    check_again(one).says("You have Premium")


@walk("scenario-5")
def silent_shortly(lab):
    one = lab.device(1)
    one.cloud_says("The cloud cannot be reached.")
    one.record("Bakery").cloud_says(WAITS)
    lab.network(1, "On")


@walk("scenario-6")
def silent_for_long(lab):
    one = lab.device(1)
    one.says("Verifying subscription...")
    one.record("Bakery").says("Transaction added")
    lab.network(1, "On")


@walk("scenario-7")
def expired_away(lab):
    one = lab.device(1)
    one.cloud_says("The cloud cannot be reached.")
    one.record("Bakery").says("Transaction added")
    lab.network(1, "On")
    one.says(ENDED)


@walk("scenario-8")
def stale(lab):
    lab.device(1).says("Verifying subscription...")
    lab.network(1, "On")
    lab.device(1).says("Backed up")


@walk("scenario-9")
def subscribed_again(lab):
    one, two = lab.device(1), lab.device(2)
    one.says(ENDED)
    two.says(ENDED)
    one.record("Bakery")
    two.record("Market")
    lab.store("Subscribe")
    one.says(ACTIVATED)


@walk("scenario-10")
def off_by_choice(lab):
    one = lab.device(1)
    settings(one).button("Switch sync off")
    one.says("Sync is off")
    lab.kill(1)
    check_again(one).says("You have Premium").cloud_says("Sync is off.")


@walk("scenario-11")
def switched_on(lab):
    one, two = lab.device(1), lab.device(2)
    settings(one).button("Switch sync off")
    is_in(one, "local_only")
    one.record("Bakery")
    two.record("Market")
    settings(one).button("Switch sync on")
    one.says("Sync is on. Everything on this device is uploaded and merged.")


@walk("scenario-12")
def switched_off(lab):
    one = lab.device(1)
    lab.network(1, "Off")
    one.record("Bakery")
    settings(one).button("Switch sync off")
    one.says("Syncing your data...")
    lab.network(1, "On")
    one.cloud_says("Sync is off.")


@walk("scenario-13")
def new_browser(lab):
    three = lab.device(3)
    three.link("Sign in").sign_in()
    three.says("Downloading your data...")


@walk("scenario-14")
def expired_session(lab):
    one = lab.device(1)
    one.says("Backed up")
    lab.expire_session(1)
    one.says("Sign in again to sync")
    one.record("Bakery").says("Sign in again to sync")


@walk("scenario-14b")
def ended_session(lab):
    one, two = lab.device(1), lab.device(2)
    one.record("Bakery")
    settings(two).link("Signed-in devices")
    two.go(two.frame.get_by_role("button", name="Sign out Anna’s phone"))
    lab.network(1, "On")
    one.says("Sign in as anna@example.com to open this book")
    one.sign_in()


@walk("scenario-15")
def signed_in_again(lab):
    one, two = lab.device(1), lab.device(2)
    one.record("Bakery")
    two.record("Market")
    settings(one).link("Sign in again")
    one.sign_in()


@walk("scenario-16")
def reachable_again(lab):
    one = lab.device(1)
    one.says("Backed up")
    lab.cloud("Off")
    one.record("Bakery").cloud_says(WAITS)
    expectations(lab, 1)
    lab.cloud("On")


@walk("scenario-17")
def refund(lab):
    one = lab.device(1)
    one.says("Backed up")
    lab.store("Refund")
    one.says(ENDED)
    from_cloud(one, "See Premium").says("Your subscription was revoked")


@walk("scenario-18")
def renewal(lab):
    one = lab.device(1)
    one.says("Backed up")
    lab.store("Renew")
    from_cloud(one, "Subscription").says("It renews automatically on Wednesday 20 January 2027.")


@walk("scenario-19")
def pending(lab):
    one = lab.device(1)
    one.says("Not backed up")
    lab.store("Approval pending")
    settings(one).says("Waiting for approval")
    lab.store("Subscribe")
    one.says(ACTIVATED)


@walk("scenario-20")
def told_once(lab):
    one = lab.device(1)
    one.says("Not backed up")
    lab.store("Subscribe")
    one.says(ACTIVATED)
    check_again(one).says("You have Premium")
    one.button("Check again").says("You have Premium")
    expect(one.frame.get_by_text(ACTIVATED)).to_have_count(0)


@walk("scenario-21")
def during_the_questions(lab):
    one = lab.device(1)
    one.link("Sign in").sign_in(BEN)
    one.says("Which currency do you mostly use?")
    lab.store("Subscribe")
    one.onboard().says(ACTIVATED)


@walk("scenario-21-restart")
def during_the_start(lab):
    lab.kill(1)
    lab.store("Subscribe")
    lab.device(1).says(ACTIVATED)


@pytest.mark.parametrize("journey", SCRIPTS)
def test_a_scenario_is_walked_to_its_check_mark(reviewer, journey):  # noqa: F811
    reviewer.stage(journey)
    SCRIPTS[journey](reviewer)
    reviewer.wait_reached(journey)
