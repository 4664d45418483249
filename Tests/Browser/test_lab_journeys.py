"""Each guided journey of the product, of signing out and of safety, walked to its check mark as its card says."""
import pathlib
import re

import pytest
from playwright.sync_api import expect

from conftest import PATIENCE
from lab import ANNA, BEN, PROVIDER, demo, reviewer  # noqa: F401 the fixtures
from people import wait_until
from steps import rows, visit

NOT_BACKED_UP = "You are signed in, but your data is NOT backed up to the cloud."
SCRIPTS = {}


def walk(journey):
    """Declares the script of a card."""
    def keep(script):
        SCRIPTS[journey] = script
        return script
    return keep


def from_the_welcome_page(lab, number, person=ANNA):
    return lab.device(number).says("Get started").link("Sign in").sign_in(person)


def from_the_cloud(lab, number):
    """The cloud in the header of a guest, and its link."""
    device = lab.device(number)
    device.frame.locator(".cloud").click()
    return device.go(device.frame.locator("#cloud-sheet").get_by_role("link", name="Sign in", exact=True))


def see_premium(lab, number):
    device = lab.device(number)
    device.frame.locator(".cloud").click()
    return device.go(device.frame.locator("#cloud-sheet").get_by_role("link", name="See Premium"))


def open_sync(lab, number):
    """Waits for the check mark, and opens the page behind it."""
    device = lab.device(number)
    expect(device.frame.locator(".cloud[data-look=check]")).to_be_visible()
    device.frame.locator(".cloud").click()
    return device.go(device.frame.locator("#cloud-sheet").get_by_role("link", name="Sync", exact=True))


def all_twelve(lab):
    expect(rows(lab.device(1).open("/transactions").frame)).to_have_count(12)


def sign_out(lab, number):
    return lab.device(number).open("/settings").link("Sign out")


@walk("first-visit")
def first_visit(lab):
    lab.device(1).says("Get started").onboard()
    lab.device(1).cloud_says("Your data is only on this device.")


@walk("guest-new-account")
def guest_new_account(lab):
    from_the_cloud(lab, 1).says("You have 12 entries on this device.").sign_in()
    all_twelve(lab)
    lab.device(1).cloud_says(NOT_BACKED_UP)


@walk("welcome-new-account")
def welcome_new_account(lab):
    from_the_welcome_page(lab, 1, BEN).onboard().cloud_says(NOT_BACKED_UP)


@walk("welcome-existing-account")
def welcome_existing_account(lab):
    from_the_welcome_page(lab, 2).says("No cloud backup found.")


@walk("existing-premium")
def existing_premium(lab):
    device = from_the_welcome_page(lab, 2).says("Downloading your data...")
    expect(device.frame.locator("progress[max]")).to_be_visible()
    device.button("Go to my book").record("While it arrives")
    # A hundred thousand rows take a debug build some minutes.
    wait_until(lambda: all(lab.state()["expectations"]), lab.tale, PATIENCE * 10)


@walk("blocked-subscribe")
def blocked_subscribe(lab):
    device = from_the_welcome_page(lab, 2).says("requires a subscription to access.")
    device.link("Subscribe").button("Subscribe (demo)")


@walk("blocked-delete")
def blocked_delete(lab):
    device = from_the_welcome_page(lab, 2).says("requires a subscription to access.")
    device.frame.locator("summary").click()
    device.confirm("Delete all server data")


@walk("blocked-sign-out")
def blocked_sign_out(lab):
    device = from_the_welcome_page(lab, 2).says("requires a subscription to access.")
    device.link("Sign out").button("Sign out").says("Get started")


@walk("goes-premium")
def goes_premium(lab):
    see_premium(lab, 1).button("Subscribe (demo)")
    open_sync(lab, 1).says("All caught up")


@walk("guest-goes-premium")
def guest_goes_premium(lab):
    from_the_cloud(lab, 1).sign_in()
    see_premium(lab, 1).button("Subscribe (demo)")


@walk("expires")
def expires(lab):
    device = lab.device(1).record("On its way")
    lab.store("Expire")
    expect(device.frame.locator("[data-cloud-label]").first).to_have_text("Syncing your data...")
    device.says("Sync has been disabled because your subscription ended.")
    lab.device(2).says("Sync has been disabled because your subscription ended.")


@walk("subscribes-again")
def subscribes_again(lab):
    lab.device(1).says("Sync has been disabled because your subscription ended.")
    lab.device(1).record("First").record("Second")
    lab.device(2).record("Third")
    see_premium(lab, 1).button("Subscribe (demo)")
    for number in (1, 2):
        for payee in ("First", "Second", "Third"):
            lab.comes(number, "/transactions", payee)


@walk("deletes-account")
def deletes_account(lab):
    device = lab.device(1).open("/settings").link("Delete the account")
    device.link(PROVIDER).choose(ANNA).confirm("Delete my account").says("Get started")
    lab.device(2).says("Your account was deleted, so its data was removed from this device as well.")


@walk("conflict")
def conflict(lab):
    device = lab.device(1).open("/").link("Review").says("Two devices changed the same value")
    other = device.frame.locator("[data-kind=conflict] p").filter(has=device.frame.locator("button:not(.primary)"))
    chosen = other.locator("strong").inner_text()
    other.get_by_role("button").click()
    device.says("Decided. It counts on all your devices.").says("There is nothing to decide.")
    lab.comes(2, "/transactions", chosen)


@walk("receipt-offline")
def receipt_offline(lab):
    device = lab.device(1).open("/transactions/new")
    with lab.page.expect_file_chooser() as chooser:
        device.frame.locator("label").filter(has_text="Add a receipt").click()
    chooser.value.set_files([{"name": "till.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7\n" + bytes(9_000)}])
    device.says("Added as soon as you save")
    device.frame.locator("#amount").fill("7.77")
    device.frame.locator("#payee").fill("Till")
    device.go(device.frame.locator("#entry .acts .primary"))
    device.go(device.frame.get_by_role("link", name="Till").first)
    device.says("Waiting for the cloud, which cannot be reached")
    lab.network(1, "On")
    device.says("Backed up")
    lab.comes(2, "/transactions", "Till")
    second = lab.device(2)
    second.go(second.frame.get_by_role("link", name="Till").first)
    second.says("Not on this device yet: open it to fetch it")
    address = second.frame.locator("[data-attachment] a.t").get_attribute("href")
    assert lab.page.request.get(lab.url + address).status == 200
    second.open(second.frame.url.split("/lab/d/2")[1].split("#")[0])
    second.says("Backed up")


@walk("connect-a-bank")
def connect_a_bank(lab):
    device = lab.device(1).open("/settings").link("Banks", exact=False)
    device.link("Connect a bank").button("Connect with Lindenbank (demo)").link("Continue at Lindenbank (demo)")
    assert "/lab/bank?" in device.frame.url
    allow(device).says("Bank connected").says("Everyday account").says("Travel card")
    connection = device.frame.locator("[data-kind=bank-connection]")
    expect(connection).to_have_attribute("data-bank-state", "connected")
    balances = connection.locator("[data-amount]")
    expect(balances).to_have_count(3)
    known = balances.all_inner_texts()
    lab.bank("Down")
    device.button("Refresh").says("The provider cannot be reached.")
    # The earlier "Refreshed" is not that of the next step.
    assert lab.state()["expectations"][:4] == [True, True, True, False]
    assert device.frame.locator("[data-kind=bank-connection] [data-amount]").all_inner_texts() == known
    lab.bank("Works")
    lab.clock("+1 day")
    device.open("/banks").button("Refresh").says("Refreshed")
    lab.bank("Consent ends")
    device.open("/banks").button("Refresh").says("A bank needs your consent again.")
    device.open("/").says("A bank needs your consent again.")
    device.open("/banks").link("Reconnect").button("Connect with Lindenbank (demo)")
    allow(device.link("Continue at Lindenbank (demo)")).says("Bank connected")
    expect(device.frame.locator("[data-notice=bank-consent-ended]")).to_have_count(0)
    expect(device.frame.locator("[data-kind=bank-connection]")).to_have_attribute("data-bank-state", "connected")
    device.frame.locator("[data-kind=bank-connection] summary").click()
    device.button("Disconnect now").says("Disconnected. What the bank reported was removed from this device.")
    assert device.frame.locator("[data-amount]").count() == 0


def allow(device):
    return device.go(device.frame.get_by_role("button", name="Allow", exact=True))


@walk("lost-device")
def lost_device(lab):
    lab.device(1).record("Lost")
    lab.device(1).cloud_says("1 change is waiting here and will be uploaded later.")
    device = from_the_welcome_page(lab, 3)
    expect(device.frame.locator(".cloud[data-look=check]")).to_be_visible()
    device.open("/transactions")
    expect(device.frame.locator("main")).not_to_contain_text("Lost")


@walk("sign-out-guest")
def sign_out_guest(lab):
    device = lab.device(1).open("/settings").says("Sign in to protect your data.")
    expect(device.frame.get_by_text("Sign out")).to_have_count(0)


@walk("sign-out-free")
def sign_out_free(lab):
    device = sign_out(lab, 1).says("All your data will be permanently deleted. You have no cloud backup.")
    device.confirm("Sign out").says("Get started")


@walk("sign-out-premium")
def sign_out_premium(lab):
    sign_out(lab, 1).button("Sign out").says("Get started")


@walk("sign-out-pending")
def sign_out_pending(lab):
    lab.device(1).record("On its way")
    device = sign_out(lab, 1).says("Uploading 0 of 1 transactions...")
    device.button("Sign out when everything is uploaded").says("Get started")


@walk("sign-out-unreachable")
def sign_out_unreachable(lab):
    lab.device(1).record("Stuck").cloud_says("1 change is waiting here")
    sign_out(lab, 1).says("Cannot upload unsynced data.").confirm("Sign out now").says("Get started")


@walk("sign-out-sync-off")
def sign_out_sync_off(lab):
    lab.device(1).open("/settings").button("Switch sync off")
    lab.device(1).says("Switch sync on").record("Only here")
    sign_out(lab, 1).says("1 change is only on this device.").confirm("Sign out").says("Get started")


@walk("sign-out-offline")
def sign_out_offline(lab):
    lab.device(1).record("Stuck").cloud_says("1 change is waiting here")
    lab.device(1).open("/settings").says(
        "You have unsynced data. Without network, this data will be lost if you sign out now.")
    lab.network(1, "On")
    open_sync(lab, 1)


@walk("guest-existing-account")
def guest_existing_account(lab):
    lab.device(3).says("Get started").onboard().record("Mine")
    from_the_cloud(lab, 3).says("You have 1 entry on this device.").says("Download my book").sign_in()


@walk("expires-offline")
def expires_offline(lab):
    device = lab.device(1).record("One").record("Two").cloud_says("2 changes are waiting here")
    lab.store("Expire")
    lab.device(2).says("Sync has been disabled because your subscription ended.")
    expect(device.frame.locator("body[data-state=synced]")).to_have_count(1)
    lab.network(1, "On")
    device.says("Sync has been disabled because your subscription ended.")


@walk("killed-while-moving")
def killed_while_moving(lab):
    from_the_cloud(lab, 1).sign_in()
    lab.comes(1, "/transactions", "Bakery on the square")
    all_twelve(lab)
    lab.device(1).cloud_says(NOT_BACKED_UP)


@walk("killed-with-changes")
def killed_with_changes(lab):
    lab.device(1).record("Saved").cloud_says("1 change is waiting here")
    lab.kill(1)
    lab.comes(1, "/transactions", "Saved")
    lab.network(1, "On")
    open_sync(lab, 1)


@walk("killed-while-signing-out")
def killed_while_signing_out(lab):
    sign_out(lab, 1).confirm("Sign out")
    lab.comes(1, "/", "Get started")


@walk("migration-fails")
def migration_fails(lab):
    from_the_cloud(lab, 1).sign_in().says("A step did not finish").button("Retry")
    all_twelve(lab)


@walk("not-verified")
def not_verified(lab):
    device = from_the_welcome_page(lab, 2).says("Verifying account...")
    expect(device.frame.get_by_role("button", name="Cancel")).to_have_count(0)
    lab.clock("+1 hour")
    device.says("This is taking longer than usual")
    expect(device.frame.get_by_role("button", name="Cancel")).to_be_visible()
    lab.network(2, "On")
    # It also asks by itself, and may have been answered by then.
    device.says("No cloud backup found.")


@walk("two-at-once")
def two_at_once(lab):
    first = from_the_cloud(lab, 1).link(PROVIDER)
    second = lab.device(2).says("Get started").link("Sign in").link(PROVIDER)
    for device in (first, second):
        device.frame.get_by_role("button", name=re.compile(ANNA)).click(no_wait_after=True)
    first.cloud_says(NOT_BACKED_UP)
    second.says("No cloud backup found.")


@pytest.mark.parametrize("journey", SCRIPTS)
def test_a_journey_is_walked_to_its_check_mark(reviewer, journey):  # noqa: F811
    reviewer.stage(journey)
    SCRIPTS[journey](reviewer)
    reviewer.wait_reached(journey)


def test_each_journey_has_a_script(reviewer):  # noqa: F811
    # The first visit makes the world whose state is asked for.
    visit(reviewer.page, reviewer.url + "/lab/journeys")
    scripts = set(SCRIPTS)
    if (pathlib.Path(__file__).parent / "test_lab_scenarios.py").exists():
        import test_lab_scenarios
        scripts |= set(test_lab_scenarios.SCRIPTS)
    assert sorted(reviewer.journeys()) == sorted(scripts)
