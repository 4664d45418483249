"""Files of a premium account on their way: to the cloud, to another device, and through failures of each part."""
import hashlib
import http.client
import re
import signal
import uuid

import pytest
from playwright.sync_api import expect

from conftest import PATIENCE, Server
from line import Line
from people import PASSWORD, Person, Program, wait_until
from steps import visit
from test_accounts import sign_in
from test_receipts import add, file, fits, lines, photo, stored
from test_sync import eventually_idle, in_step

FILES = "/attachments/"


def document(size, seed=1):
    """A PDF file of a size."""
    return b"%PDF-1.7\n" + bytes((seed + place * place) % 251 for place in range(1_000)) * (size // 1_000)


def open_first(page, server):
    visit(page, server.url + "/transactions")
    page.locator("[data-kind=transaction] a").first.click()
    page.wait_for_url("**/transactions/*")


def shows(page, status, text):
    """Opens the page again until its file has a status and a text."""
    wait_until(
        lambda: page.reload() and lines(page).first.get_attribute("data-status") == status
        and text in lines(page).first.inner_text(),
        lambda: f"{status} {text}: {lines(page).first.get_attribute('data-status')} {lines(page).first.inner_text()}")


def test_another_device_says_that_a_file_is_still_where_it_was_added(apart, new_page):
    server, line, _ = apart
    first, second = new_page(), new_page()
    first.javascript = second.javascript = True
    in_step(first, server)
    open_first(first, server)
    visit(second, server.url + "/")
    sign_in(second, server, "anna")
    eventually_idle(second, server, "/transactions")
    line.hold(FILES)
    add(first, file("bill.pdf", document(20_000), "application/pdf"))
    assert line.is_held.wait(PATIENCE)
    open_first(second, server)
    shows(second, "elsewhere", "Not in the cloud: open Breadly on the device that has it")
    assert fits(second)
    listed = second.context.new_page()
    visit(listed, server.url + "/attachments")
    expect(lines(listed)).to_contain_text("open Breadly on the device that has it")
    # The cloud goes away and comes back while the pages are open.
    line.is_cut = True
    for page in (second, listed):
        expect(lines(page)).to_contain_text("Not on this device yet, and the cloud cannot be reached")
    line.is_cut = False
    for page in (second, listed):
        expect(lines(page)).to_contain_text("open Breadly on the device that has it")
    line.hold(None)
    # Both pages hear of it.
    for page in (second, listed):
        expect(lines(page)).to_contain_text("Not on this device yet: open it to fetch it")
    assert stored(second) == document(20_000)


def test_a_file_says_by_itself_that_it_is_backed_up(apart, new_page):
    server, line, _ = apart
    page = new_page()
    page.javascript = True
    in_step(page, server)
    open_first(page, server)
    page.locator("#entry [name=note]").fill("half typed")
    line.hold(FILES)
    add(page, file("bill.pdf", document(20_000), "application/pdf"))
    expect(lines(page)).to_contain_text("Waiting to be backed up")
    assert line.is_held.wait(PATIENCE)
    line.hold(None)
    expect(lines(page)).to_contain_text("Backed up")
    expect(page.locator("#entry [name=note]")).to_have_value("half typed")


def test_lists_of_files_follow_them_by_themselves(apart, new_page):
    server, line, _ = apart
    page = new_page()
    page.javascript = True
    in_step(page, server)
    open_first(page, server)
    listed, sync = page.context.new_page(), page.context.new_page()
    line.hold(FILES)
    add(page, file("bill.pdf", document(20_000), "application/pdf"))
    assert line.is_held.wait(PATIENCE)
    expect(lines(page)).to_have_count(1)
    visit(listed, server.url + "/attachments?q=bill")
    visit(sync, server.url + "/sync")
    for tab in (listed, sync):
        tab.evaluate("window.isOld = true")
    expect(lines(listed)).to_contain_text("Waiting to be backed up")
    expect(sync.locator("#sync-state")).to_contain_text("1 file of your receipts is on the way to the cloud.")
    listed.get_by_role("button", name="Delete bill.pdf").focus()
    line.hold(None)
    expect(lines(listed)).to_contain_text("Backed up")
    expect(sync.locator("#list")).to_contain_text("All caught up")
    expect(sync.locator("#sync-state")).not_to_contain_text("file of your receipts")
    expect(listed.get_by_role("button", name="Delete bill.pdf")).to_be_focused()
    # One that is refused says so as well.
    line.answers[FILES] = 404
    add(page, file("second-bill.pdf", document(20_000, 2), "application/pdf"))
    expect(lines(listed)).to_have_count(2)
    expect(lines(listed).first).to_contain_text("Not backed up: the cloud does not take files at present.")
    expect(sync.locator("#sync-state")).to_contain_text("The cloud does not take files at present")
    for tab in (listed, sync):
        assert tab.evaluate("window.isOld"), "no page was loaded anew"
        assert fits(tab)


def test_a_cloud_that_goes_away_during_the_upload(apart, new_page):
    server, line, _ = apart
    page = new_page()
    page.javascript = True
    in_step(page, server)
    open_first(page, server)
    # The question how much there is, and two parts of four.
    line.hold(FILES, after=3)
    add(page, file("bill.pdf", document(4_000_000), "application/pdf"))
    assert line.is_held.wait(PATIENCE)
    shows(page, "uploading", "Uploading, 52%")
    expect(page.locator("[data-cloud-label]").first).to_have_text("Syncing")
    line.is_cut = True
    line.hold(None)
    shows(page, "uploading", "52% sent, waiting for the cloud, which cannot be reached")
    assert fits(page)
    line.is_cut = False
    shows(page, "uploaded", "Backed up")
    expect(page.locator("[data-cloud-label]").first).to_have_text("Backed up")
    ranges = [re.search(r"(\d+)-(\d+)", part).groups() for part in line.parts]
    begins, ends = [int(first) for first, _ in ranges], [int(last) for _, last in ranges]
    assert begins == [0] + [last + 1 for last in ends[:-1]], "no part was sent twice"


class Owner(Person):
    """A person with files."""

    def start(self, *, is_new):
        if is_new:
            self.onboard()
        action = "/sign-up" if is_new else "/sign-in"
        assert self.post("/sign-in", action, email="anna@x.test", password=PASSWORD) == 303
        self.settle()

    def make_transaction(self):
        form = self.get("/transactions/new")
        account = re.search(r'<select[^>]*name="account".*?<option[^>]*value="([^"]+)"', form, re.S).group(1)
        assert self.record("Market", account) == 303
        self.settle()
        self.find_transaction()

    def find_transaction(self):
        self.place = "/transactions/" + re.search(r'data-id="([^"]+)" data-kind="transaction"',
                                                  self.get("/transactions")).group(1)

    def attach(self, name, content):
        self.get(self.place)
        edge = uuid.uuid4().hex
        head = (f'--{edge}\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{self.csrf}\r\n'
                f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n')
        return self.sent("POST", self.place + "/attachments", head.encode() + content + f"\r\n--{edge}--\r\n".encode(),
                         {**self.headers, "Cookie": self.cookie, "Content-Type": f"multipart/form-data; boundary={edge}"})

    def files(self):
        """The files of the transaction: id, status and text, in their order."""
        line = r'data-attachment="([^"]+)" data-status="([^"]+)"[^>]*>(.*?)</li>'
        found = re.findall(line, self.get(self.place), re.S)
        return [(name, status, re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", text))) for name, status, text in found]

    def waits_for(self, status, text="", place=0):
        def is_there():
            files = self.files()
            return len(files) > place and files[place][1] == status and text in files[place][2]

        wait_until(is_there, lambda: f"{status} {text}: {self.files()}")

    def content(self, receipt):
        connection = http.client.HTTPConnection("127.0.0.1", self.program.port, timeout=PATIENCE)
        try:
            connection.request("GET", FILES + receipt, headers={"Cookie": self.cookie})
            return connection.getresponse().read()
        finally:
            connection.close()


def new_owner(server):
    """A person with a new user account and a transaction."""
    owner = Owner(server)
    owner.start(is_new=True)
    owner.make_transaction()
    return owner


@pytest.fixture
def processes(tmp_path):
    """A cloud, a line to it, and a server, with options."""
    running = []

    def start(cloud_options=(), server_options=()):
        cloud = Program("cloud", tmp_path / "cloud", "--premium", "everyone", *cloud_options)
        line = Line(f"http://127.0.0.1:{cloud.port}")
        server = Program("serve", tmp_path / "data", "--cloud", line.url, *server_options)
        running.extend([server, cloud, line])
        return server, line, cloud

    yield start
    for one in running:
        if isinstance(one, Line):
            one.stop()
        else:
            one.kill(signal.SIGTERM)


@pytest.mark.parametrize("dying", ["server", "cloud", "both"])
def test_a_process_that_is_killed_in_the_middle_of_an_upload(processes, dying):
    server, line, cloud = processes()
    owner = new_owner(server)
    content = document(5_000_000)
    line.hold(FILES, after=3)
    assert owner.attach("bill.pdf", content).status == 303
    assert line.is_held.wait(PATIENCE)
    owner.waits_for("uploading", "Uploading, 41%")
    dead = [one for name, one in (("server", server), ("cloud", cloud)) if dying in (name, "both")]
    for one in dead:
        one.kill()
    line.hold(None)
    for one in reversed(dead):
        one.start()
    owner.waits_for("uploaded", "Backed up")
    first = [part for part in line.parts if part.startswith("bytes 0-")]
    assert len(first) == 1, f"it began anew: {line.parts}"
    other = Owner(server)
    other.start(is_new=False)
    other.find_transaction()
    other.waits_for("elsewhere")
    assert other.content(other.files()[0][0]) == content
    for one in (server, cloud):
        one.kill(signal.SIGTERM)
        checked = one.doctor()
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_cloud_that_is_too_old_for_files(processes):
    server, line, _ = processes()
    owner = new_owner(server)
    line.answers[FILES] = 404
    assert owner.attach("bill.pdf", document(2_000)).status == 303
    owner.waits_for("local_only", "Not backed up: the cloud does not take files at present.")
    # Further changes, which end the pauses after other failures.
    for number in range(3):
        assert owner.attach(f"{number}.pdf", document(2_000, 2 + number)).status == 303
        owner.settle()
    complaints = [text for text in server.tail(1_000).splitlines() if "files:" in text]
    assert len(complaints) == 1, complaints
    page = owner.get("/sync")
    assert "The cloud does not take files at present: 4 files of your receipts are on this device only." in page
    assert "Not all backed up" in page
    line.answers.clear()
    assert owner.ask("POST", "/sync/retry", {}).status == 303
    for place in range(4):
        owner.waits_for("uploaded", "Backed up", place)


def test_files_that_do_not_fit_into_the_account(processes):
    server, _, _ = processes(cloud_options=("--attachment-quota", "1M"))
    owner = new_owner(server)
    assert owner.attach("first.pdf", document(800_000)).status == 303
    owner.waits_for("uploaded")
    assert owner.attach("second.pdf", document(500_000, 2)).status == 303
    owner.waits_for("failed", "Not backed up: there is no room for it in the cloud. 1 file of your receipts "
                    "takes 781 KB of 1 MB there, with those that are on their way.", place=1)
    assert "1 file of your receipts was not backed up." in owner.get("/sync")
    # There is room again as soon as another one is deleted.
    assert owner.post(owner.place, f"{FILES}{owner.files()[0][0]}/delete") == 303
    owner.settle()
    assert "Retry now" in owner.get("/sync") and owner.ask("POST", "/sync/retry", {}).status == 303
    owner.waits_for("uploaded", "Backed up")
    assert "Retry now" not in owner.get("/sync")


def test_a_refused_file_of_a_deleted_transaction_is_found_and_tried_again(processes):
    server, _, _ = processes(cloud_options=("--attachment-quota", "1M"))
    owner = new_owner(server)
    assert owner.attach("first.pdf", document(800_000)).status == 303
    owner.waits_for("uploaded")
    assert owner.attach("second.pdf", document(500_000, 2)).status == 303
    owner.waits_for("failed", place=1)
    assert owner.post(owner.place, owner.place + "/delete") == 303
    owner.settle()
    page = owner.get("/sync")
    assert "1 file of your receipts was not backed up." in page
    place = re.search(r'href="(/attachments[^"]*)"[^>]*>See the files', page).group(1)
    listed = owner.get(place)
    assert "second.pdf" in listed and "first.pdf" not in listed and "deleted transaction" in listed
    retry = re.search(r'formaction="([^"]+/retry)"', listed).group(1)
    assert owner.post(place, retry, list=place) == 303
    # The files of deleted transactions do not count in the quota of the cloud.
    wait_until(lambda: "not backed up" not in owner.get("/sync") and "second.pdf" not in owner.get(place),
               "it is backed up")


def test_a_sign_out_with_files_that_wait(processes):
    server, line, _ = processes()
    owner = new_owner(server)
    line.hold(FILES)
    content = document(20_000)
    assert owner.attach("bill.pdf", content).status == 303
    assert line.is_held.wait(PATIENCE)
    page = owner.get("/sign-out")
    assert "1 file of your receipts is only on this device, and will be deleted." in page
    assert "I understand 1 file will be lost" in page
    assert owner.ask("POST", "/sign-out", {"confirm": "yes"}).status == 422
    assert owner.ask("POST", "/sign-out/wait", {}).status == 303
    assert owner.body("state") == "synced"
    line.hold(None)
    wait_until(lambda: owner.ask("GET", "/transactions").status == 303, "it does not sign out")
    again = Owner(server)
    again.start(is_new=False)
    again.find_transaction()
    assert again.content(again.files()[0][0]) == content, "nothing was lost"


def test_a_file_that_the_cloud_has_lost_is_sent_again_before_a_sign_out(processes):
    server, line, cloud = processes()
    owner = new_owner(server)
    content = document(20_000)
    assert owner.attach("bill.pdf", content).status == 303
    owner.waits_for("uploaded", "Backed up")
    (stored,) = cloud.folder.glob("cloud.files/*/*")
    stored.unlink()
    assert owner.files()[0][1] == "uploaded", "nothing has told the device"
    line.hold(FILES)
    page = owner.ask("POST", "/sign-out", {})
    assert page.status == 422 and "1 file of your receipts is only on this device, and will be deleted." in page.text
    assert "Type the sentence exactly" not in page.text, "it was not asked for before"
    assert "Type the sentence exactly" in owner.ask("POST", "/sign-out", {"confirm": "yes"}).text
    assert owner.ask("POST", "/sign-out/wait", {}).status == 303
    line.hold(None)
    wait_until(lambda: owner.ask("GET", "/transactions").status == 303, "it does not sign out")
    assert stored.read_bytes() == content


def test_a_cloud_that_was_put_back_to_a_time_before_the_file_was_complete(processes, tmp_path):
    server, line, cloud = processes()
    owner = new_owner(server)
    content = document(2_500_000)
    # The question how much there is, and one part of three.
    line.hold(FILES, after=2)
    assert owner.attach("bill.pdf", content).status == 303
    assert line.is_held.wait(PATIENCE)
    owner.settle()
    saved = cloud.run("backup", str(tmp_path / "saved.tar"))
    assert saved.returncode == 0, saved.stderr
    line.hold(None)
    owner.waits_for("uploaded", "Backed up")
    cloud.kill(signal.SIGTERM)
    restored = cloud.run("restore", str(tmp_path / "saved.tar"))
    assert restored.returncode == 0, restored.stderr
    assert not list(cloud.folder.glob(f"cloud.files/*/{hashlib.sha256(content).hexdigest()}"))
    assert "1 files of receipts are on devices only" in cloud.doctor().stdout
    cloud.start()
    # Nothing is pressed on the device.
    wait_until(lambda: list(cloud.folder.glob(f"cloud.files/*/{hashlib.sha256(content).hexdigest()}")),
               lambda: f"it is not sent again: {owner.files()}")
    owner.waits_for("uploaded", "Backed up")


@pytest.fixture
def tight(tmp_path):
    """A server whose cloud has room for 100 KB of files."""
    cloud = Server(tmp_path / "cloud", "--premium", "everyone", "--attachment-quota", "100K", command="cloud")
    server = Server(tmp_path / "data", "--cloud", cloud.url)
    yield server
    server.stop()
    cloud.stop()


def test_files_that_the_cloud_refused_are_named_when_sync_and_the_account_end(tight, page):
    in_step(page, tight)
    open_first(page, tight)
    add(page, file("bill.pdf", document(200_000), "application/pdf"))
    expect(lines(page)).to_have_count(1)
    shows(page, "failed", "Not backed up: ")
    visit(page, tight.url + "/account/delete")
    expect(page.locator("main")).to_contain_text("1 file is only on this device.")
    assert fits(page)
    page.get_by_role("link", name="See the files").click()
    page.wait_for_url("**/attachments?*")
    expect(lines(page)).to_contain_text("bill.pdf")
    visit(page, tight.url + "/settings")
    page.get_by_role("button", name="Switch sync off").click()
    notice = page.locator("[data-notice=files-not-uploaded]")
    wait_until(lambda: visit(page, tight.url + "/transactions") or notice.count() == 1, "it is told")
    expect(notice).to_contain_text("1 file of your receipts is only on this device: the cloud did not accept it")
    assert fits(page)
    notice.get_by_role("link", name="See the files").click()
    page.wait_for_url("**/attachments?*")
    expect(lines(page)).to_contain_text("bill.pdf")
    # The list does not lead to itself.
    expect(notice).to_have_count(1)
    expect(notice.get_by_role("link", name="See the files")).to_have_count(0)


def test_a_photo_has_its_small_picture_on_another_device_too(apart, new_page):
    server, _, _ = apart
    first, second = new_page(size="desktop"), new_page()
    first.javascript, second.javascript = True, True
    in_step(first, server)
    open_first(first, server)
    add(first, file("till.jpg", photo(first)))
    expect(lines(first)).to_have_count(1)
    shows(first, "uploaded", "Backed up")
    visit(second, server.url + "/")
    sign_in(second, server, "anna")
    eventually_idle(second, server, "/transactions")
    open_first(second, server)
    expect(lines(second).locator("img.thumb")).to_have_count(0)
    stored(second)
    second.reload()
    # The photo itself takes its place until the script has made it.
    expect(lines(second).locator("img.thumb")).to_have_count(1)
    expect(second.locator("[data-draw]")).to_have_count(0)
    visit(second, server.url + "/attachments")
    expect(lines(second).locator("img.thumb")).to_have_count(1)
    wait_until(lambda: second.evaluate("document.querySelector('img.thumb').naturalWidth") == 160, "it is loaded")
