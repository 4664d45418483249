"""After the end of a session, the browser's own files have nothing of the person any more."""
import pytest

from conftest import CHROMIUM, PATIENCE
from people import wait_until
from steps import onboard, record, submit, visit
from test_accounts import confirm, sign_up
from test_receipts import file, png

WORDS = [b"quokka-payee", b"quokka-file"]


def found(folder):
    """The files below a folder that have one of the words."""
    names = []
    for path in folder.rglob("*"):
        try:
            content = path.read_bytes() if path.is_file() else b""
        except OSError:
            continue
        if any(word in content for word in WORDS):
            names.append(str(path.relative_to(folder)))
    return names


@pytest.mark.parametrize("way", ["sign-out", "account/delete"])
def test_a_browser_keeps_nothing_of_a_session_that_has_ended(server, chromium, tmp_path, way):
    profile = tmp_path / "profile"
    context = chromium.browser_type.launch_persistent_context(
        profile, executable_path=CHROMIUM, args=["--no-sandbox"], java_script_enabled=False, locale="en-IE")
    context.set_default_timeout(PATIENCE * 1_000)
    try:
        page = context.new_page()
        page.javascript = False
        onboard(page, server)
        sign_up(page, server, "anna")
        record(page, server, payee="quokka-payee")
        visit(page, server.url + "/transactions")
        page.locator("[data-kind=transaction] a").first.click()
        page.wait_for_url("**/transactions/*")
        picture = png(64, 48, words=WORDS[1])
        page.locator("#file").set_input_files([file("till.png", picture, "image/png")])
        submit(page.locator("[data-uploads] [type=submit]"))
        address = page.locator("[data-attachment] a.t").first.get_attribute("href")
        visit(page, server.url + address)
        wait_until(lambda: found(profile), "the browser has stored the receipt")
        visit(page, f"{server.url}/{way}")
        confirm(page, f"/{way}")
        page.wait_for_url("**/onboarding/welcome")
        wait_until(lambda: not found(profile), lambda: f"the browser still has it: {found(profile)}")
    finally:
        context.close()
    assert found(profile) == []
