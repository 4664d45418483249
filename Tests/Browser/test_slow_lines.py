"""Lines that are slower than any that people use: nothing is cut off, and nothing is sent twice."""
import concurrent.futures
import random
import re

from people import Person, Program, wait_until
from slow_line import SlowLine

WORDS = ["".join(random.Random(7 * n).choices("abcdefghijklmnopqrstuvwxyz", k=7)) for n in range(2_000)]


class Through:
    """A program as it is reached over a line."""

    def __init__(self, line):
        self.port = line.port


def attach(person, transaction, content):
    """Sends a file to a transaction, as a form does."""
    page = person.get(f"/transactions/{transaction}")
    csrf = re.search(r'name="csrf" value="([^"]+)"', page).group(1)
    body = b"".join([
        b'--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n', csrf.encode(), b"\r\n",
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n',
        b"Content-Type: application/pdf\r\n\r\n%PDF-1.4\n", content, b"\r\n--b--\r\n"])
    headers = {**person.headers, "Cookie": person.cookie, "Content-Type": "multipart/form-data; boundary=b"}
    return person.sent("POST", f"/transactions/{transaction}/attachments", body, headers)


# Kilobytes a second, and how many entries are sent.
SPEEDS = [(2, 5), (12, 30), (25, 60)]


def test_a_slow_line_carries_everything_once(tmp_path):
    """Lines of several speeds at the same time, because nearly all of it is waiting."""
    with concurrent.futures.ThreadPoolExecutor(len(SPEEDS)) as pool:
        running = [pool.submit(carry_everything, tmp_path / f"{speed[0]}", *speed) for speed in SPEEDS]
    for one in running:
        one.result()


def carry_everything(folder, kilobytes, entries):
    folder.mkdir()
    cloud = Program("cloud", folder / "cloud", "--premium", "everyone")
    line = SlowLine(cloud.port, kilobytes)
    server = Program("serve", folder / "server", "--cloud", line.url, "--writes-per-second", "0")
    chance = random.Random(kilobytes)
    try:
        # Entries with long notes, recorded at once; the cloud gets them over the line.
        anna = Person(server)
        anna.onboard()
        anna.post("/sign-in", "/sign-up", email="anna@x.test", password="correct horse battery")
        wait_until(lambda: anna.status()["sync"]["phase"] == "idle", lambda: f"sync begins: {anna.status()}")
        account = re.search(r'data-id="(\w{26})" data-kind="account"', anna.get("/accounts")).group(1)
        anna.get("/transactions/new")
        sent = line.bytes[0]
        for number in range(entries):
            note = " ".join(chance.choices(WORDS, k=220))[:1_750]
            assert anna.ask("POST", "/transactions", {
                "kind": "expense", "amount": "1", "date": "2026-11-20", "account": account, "payee": f"P{number}",
                "note": note}).status == 303
        wait_until(lambda: anna.status()["sync"]["pending"] == 0, lambda: f"all is sent: {anna.status()}")
        # Letters by chance shrink to some six tenths. What was cut off in the middle would be sent again.
        needed = entries * 1_750 * 0.6
        assert line.bytes[0] - sent <= 1.5 * needed + 40_000, f"{line.bytes[0] - sent} bytes for {needed:.0f}"
        # A file, which takes six seconds of the line.
        transaction = re.search(
            r'data-id="(\w{26})" data-kind="transaction"', anna.get("/transactions?month=2026-11")).group(1)
        content = chance.randbytes(kilobytes * 6_000)
        sent = line.bytes[0]
        assert attach(anna, transaction, content).status == 303
        wait_until(lambda: 'data-status="uploaded"' in anna.get(f"/transactions/{transaction}"), "the file is sent")
        assert line.bytes[0] - sent <= 1.5 * len(content) + 20_000, f"{line.bytes[0] - sent} bytes for {len(content)}"
        log = server.log.read_text()
        assert "stopped" not in log and "does not answer" not in log, log
        # The pages themselves over such a line: a list, a download, a form with a file.
        near = SlowLine(server.port, kilobytes)
        far = Person(Through(near))
        far.cookie = anna.cookie
        assert far.get("/transactions?month=2026-11").rstrip().endswith("</html>")
        book = far.ask("GET", "/export/breadly.json")
        assert book.status == 200 and book.text.count('"payee": "P') + book.text.count('"payee":"P') == entries
        assert attach(far, transaction, chance.randbytes(kilobytes * 3_000)).status == 303
        assert anna.get(f"/transactions/{transaction}").count("data-attachment=") == 2
        near.stop()
    finally:
        line.stop()
        for program in (server, cloud):
            program.kill()
