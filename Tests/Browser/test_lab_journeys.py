"""The guided journeys that need a browser, walked to their check marks as their cards say: frames that follow the world by
themselves, sheets whose words the script reports, a file chooser, pages of other sites in a frame, and a phrase that is
typed. `Tests/LabTests` walks all journeys without a script."""
import pytest
from playwright.sync_api import expect

from lab import ANNA, PROVIDER, demo, reviewer  # noqa: F401 the fixtures

ENDED = "Sync has been disabled because your subscription ended."
SCRIPTS = {}


def walk(journey):
    """Declares the script of a card."""
    def keep(script):
        SCRIPTS[journey] = script
        return script
    return keep


@walk("first-visit")
def first_visit(lab):
    lab.device(1).says("Get started").onboard()
    lab.device(1).cloud_says("Your data is only on this device.")


@walk("expires")
def expires(lab):
    device = lab.device(1).record("On its way")
    lab.store("Expire")
    expect(device.frame.locator("[data-cloud-label]").first).to_have_text("Syncing your data...")
    device.says(ENDED)
    lab.device(2).says(ENDED)


@walk("deletes-account")
def deletes_account(lab):
    device = lab.device(1).open("/settings").link("Delete the account")
    device.link(PROVIDER).choose(ANNA).confirm("Delete my account").says("Get started")
    lab.device(2).says("Your account was deleted, so its data was removed from this device as well.")


@walk("receipt-offline")
def receipt_offline(lab):
    device = lab.device(1).open("/transactions/new")
    device.frame.locator("summary", has_text="Note, tags, receipt").click()
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
    # The page follows the upload by itself.
    expect(device.frame.locator("[data-attachment]")).to_contain_text("Backed up")
    lab.comes(2, "/transactions", "Till")
    second = lab.device(2)
    second.go(second.frame.get_by_role("link", name="Till").first)
    second.says("Not on this device yet: open it to fetch it")
    address = second.frame.locator("[data-attachment] a.t").get_attribute("href")
    assert lab.page.request.get(lab.url + address).status == 200
    second.open(second.frame.url.split("/lab/d/2")[1].split("#")[0])
    expect(second.frame.locator("[data-attachment]")).to_contain_text("Backed up")


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


@pytest.mark.parametrize("journey", SCRIPTS)
def test_a_journey_is_walked_to_its_check_mark(reviewer, journey):  # noqa: F811
    reviewer.stage(journey)
    SCRIPTS[journey](reviewer)
    reviewer.wait_reached(journey)
