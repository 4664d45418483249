"""A monkey: some hands on eight browsers do all that can be done, while pages listen and the process is killed.

SEED says what is done, STEPS how much of it; STREAMS how many open pages listen in a browser at most, PAGE_SECONDS how
long a page may take in the end. KNOWN is a pattern of faults to pass over, to look for those behind them. The same seed
begins the same way; what meets what is up to the threads.
"""
import collections
import csv
import http.client
import io
import json
import os
import random
import re
import signal
import socket
import struct
import threading
import time
import urllib.parse

from forms import MONTHS, WORDS, Page
from hostile import Hostile
from people import PASSWORD, PATIENCE, Person, Program, Stream, wait_until

SEED = os.environ.get("SEED", "1")
STEPS = int(os.environ.get("STEPS", "400"))
STREAMS = int(os.environ.get("STREAMS", "2"))
PAGE_SECONDS = float(os.environ.get("PAGE_SECONDS", "1.0"))
KNOWN = re.compile(os.environ.get("KNOWN") or "$.")
BROWSERS = 8
HANDS = 4
EMAILS = ["anna@x.test", "ben@x.test", "carla@x.test"]
PASSWORDS = [PASSWORD, "another long password"]
UNKNOWN = "01m80d00000000000000000000"

PAGES = [
    "/", "/transactions", "/transactions/new", "/accounts", "/categories", "/budgets", "/reports", "/settings",
    "/settings/devices", "/settings/password", "/help", "/sign-in", "/subscription", "/sign-out", "/account/delete",
    "/download", "/sync", "/sync/review", "/history", "/error", "/blocked", "/verifying", "/export/breadly.json",
    "/export/transactions.csv", "/status.json", "/status", "/healthz", "/readyz", "/onboarding/welcome",
    "/onboarding/currency", "/onboarding/secondary", "/onboarding/calendar",
]
WITH_FORMS = ["/transactions", *["/transactions/new"] * 6, "/accounts", "/categories", "/budgets",
              "/settings", "/history", "/sync", "/sync/review", "/subscription", "/", "/transactions?month=all"]
# Done by a hand of its own, less often than they would come up by themselves.
GRAVE = re.compile(r"/(sign-(in|up|out)(/.*)?|account/delete|blocked/.*|settings/(password|sync|devices/.*)|sync/anew)")
ENTITY = re.compile(r"/(transactions|accounts|categories|budgets)/[0-9a-z]{26}$|/history/\d+$")
# Why the log may say that something failed: nothing that was killed by us, and nothing else.
FAULTS = re.compile(r"Fatal|Precondition|Assertion|Illegal|Crash| 500\b|\(reference |failed:|could not be|cannot be|"
                    r"reference to|Sanitizer|exclusive")


class Mortal(Program):
    """A server that is killed on purpose: the gate is held from before its death until it is back."""

    def __init__(self, *arguments):
        self.gate = threading.RLock()
        self.deaths = 0
        # Counts before each death and after each return: a request that met neither met a living server.
        self.turns = 0
        super().__init__(*arguments)

    def faults(self):
        return [line for line in self.log.read_text(errors="replace").splitlines()
                if FAULTS.search(line) and not KNOWN.search(line)]

    def note(self, text):
        with open(self.log, "a") as log:
            log.write(f"--- {text}\n")


class Monkey:
    def __init__(self, server):
        self.server = server
        self.browsers = [Browser(self, number) for number in range(BROWSERS)]
        self.passwords = {email: PASSWORD for email in EMAILS}
        self.hostile = Hostile(self)
        self.steps = 0
        self.journal = collections.deque(maxlen=400)
        self.counts = collections.Counter()
        self.slowest = (0, "")
        self.faults = []
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.began = time.monotonic()

    def write(self, browser, what, status, seconds=0.0):
        with self.lock:
            at = time.monotonic() - self.began
            hand = threading.current_thread().name
            self.journal.append(f"{at:7.2f} {hand} {browser} {what[:150]}: {status} ({seconds * 1000:.0f} ms)")
            self.counts[status] += 1
            self.slowest = max(self.slowest, (seconds, what))

    def fault(self, text):
        if KNOWN.search(text):
            return
        with self.lock:
            self.faults.append(text)
        self.over.set()

    def report(self, *texts):
        with self.lock:
            lines = list(self.journal)[-30:]
        return "\n".join([
            f"seed {SEED}, {self.steps} of {STEPS} steps", *self.faults[:5], *texts, "The last actions:", *lines,
            "What the server's log has of faults:", *self.server.faults()[:20],
            "The end of the server's log:", self.server.tail()])

    def check(self, holds, text):
        assert holds and not self.faults, self.report(*([] if holds else [text]))

    # What is done

    def work(self, number):
        chance = random.Random(f"{SEED}/{number}")
        while not self.over.is_set():
            with self.lock:
                if self.steps >= STEPS:
                    return
                self.steps += 1
            browser = chance.choice(self.browsers)
            browser.listen()
            action = browser.choice(chance)
            try:
                action(chance)
            except Gone:
                pass
            except Exception as error:
                self.fault(f"{type(error).__name__} in {action.__name__} of {browser}: {error}")
                raise

    def kill(self, chance):
        how = chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
        with self.server.gate:
            if self.over.is_set():
                return
            if not self.server.is_alive:
                return self.fault(f"the server died by itself, with {self.server.process.returncode}")
            self.server.deaths += 1
            self.server.turns += 1
            self.server.note(how.name)
            code = self.server.kill(how)
            self.write("-", how.name, code)
            if code != (0 if how == signal.SIGTERM else -how):
                return self.fault(f"{how.name} ended the server with {code}")
            if chance.random() < 0.3:
                checked = self.server.doctor()
                if checked.returncode:
                    self.fault(f"after {how.name} doctor says: {checked.stdout}{checked.stderr}")
            self.server.start()
            self.server.turns += 1

    def command(self, chance):
        """The operator, while the server runs, stops or starts."""
        email = chance.choice(EMAILS)
        arguments, given = chance.choice(
            [(["grant", email, "--forever"], None)] * 9 + [(["revoke", email], None)] * 3
            + [(["grant", email, "--until", "2099-12-31"], None), (["users"], None), (["grants"], None),
               (["reset-password", email, "--stdin"], PASSWORD + "\n"),
               (["backup", str(self.server.folder.parent / f"{chance.getrandbits(60)}.tar")], None)]
            + ([(["users", "--remove", email], None)] if chance.random() < 0.1 else []))
        began = time.monotonic()
        done = self.server.run(*arguments, given=given)
        self.write("-", " ".join(arguments), done.returncode, time.monotonic() - began)
        if arguments[0] == "reset-password" and done.returncode == 0:
            self.passwords[email] = PASSWORD
        # No user of that name, perhaps since an instant ago, or nothing to take back.
        if done.returncode and not re.search(r"nobody (here|has)|no premium to take back|accountGone", done.stderr):
            self.fault(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr}")

    # What must hold in the end

    def everything_is_well(self):
        self.all_rest("sign_in_again", "data_deleted")
        # The more devices sync, the more rows are compared.
        for email in EMAILS:
            self.server.run("grant", email, "--forever")
        for browser in self.browsers:
            browser.comes_back()
        # Its account may be gone: then no user can sign in.
        self.all_rest("sign_in_again")
        for browser in self.browsers:
            browser.looks_at_everything()
        users = collections.defaultdict(list)
        for browser in self.browsers:
            if browser.standing["state"] == "synced":
                users[browser.standing["user"]["id"]].append(browser)
        for group in users.values():
            email = group[0].standing["user"]["email"]
            wait_until(lambda: self.agree(group), lambda: self.report(self.difference(email, group)), patience=120)
            print(f"{email}: {len(group)} devices in step, {group[0].standing['book']}")

    def all_rest(self, *waits):
        for browser in self.browsers:
            wait_until(lambda: browser.rests(waits),
                       lambda: self.report(f"{browser} does not become idle: {browser.standing}"))

    def agree(self, group):
        # One goes up by what the other does, such as a decision: all rest at once before they are compared.
        if not all([browser.is_in_step() for browser in group]):
            return False
        members = [browser for browser in group if browser.syncs]
        return all(browser.book() == members[0].book() for browser in members[1:])

    def difference(self, email, group):
        text = f"the devices of {email} do not agree: {[(str(one), one.standing) for one in group]}"
        members = [browser for browser in group if browser.syncs]
        for browser in members[1:]:
            here, there = members[0].book(), browser.book()
            for section in here:
                if here[section] != there[section]:
                    only_here = [row for row in here[section] if row not in there[section]]
                    only_there = [row for row in there[section] if row not in here[section]]
                    text += f"\n{section}: {members[0]} has {only_here[:5]}, {browser} has {only_there[:5]}"
        return text


class Gone(Exception):
    """The server was killed under a request."""


class Browser(Person):
    def __init__(self, monkey, number):
        super().__init__(monkey.server, **{"X-Forwarded-For": f"10.0.0.{number + 1}"})
        self.monkey = monkey
        self.number = number
        self.marks = {}
        # Replaced as a whole: several hands read it and add to it at once.
        self.links = ()
        self.streams = []
        self.most = min(STREAMS, 1 + number % 2)
        self.opening = threading.Lock()
        self.standing = {}
        # Its choices vary: a value that does not fit any more is refused each time.
        self.decides = random.Random(f"{SEED}/decisions of {number}")

    def __str__(self):
        return f"browser {self.number}"

    @property
    def state(self):
        return self.marks.get("state", "")

    # Requests

    def sent(self, method, path, body, headers):
        server, began = self.program, time.monotonic()
        turns = server.turns
        try:
            answer = super().sent(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.broke(f"{method} {path}", error, turns, time.monotonic() - began)
            raise Gone from error
        self.monkey.write(self, f"{method} {path}", answer.status, time.monotonic() - began)
        # A device whose lifecycle stopped says so with a 503; why is in the log.
        is_stopping = answer.status == 503 and (
            server.turns > turns or path == "/error" or "The server is stopping." in answer.text)
        if answer.status >= 500 and not is_stopping:
            text = " ".join(re.sub(r"<[^>]*>", " ", answer.text).split())[:300]
            self.monkey.fault(f"{self}: {method} {path} was answered {answer.status}: {text}")
        return answer

    def broke(self, what, error, turns, seconds=0.0):
        """A connection broke: that is right where the server was killed meanwhile."""
        server = self.program
        with server.gate:
            self.monkey.write(self, what, type(error).__name__, seconds)
            if not server.is_alive:
                self.monkey.fault(f"the server died by itself, with {server.process.returncode}, under {what}")
            elif server.turns == turns:
                self.monkey.fault(f"{self}: {what}: {type(error).__name__} {error}, and the server was not killed")

    def open(self, path):
        """A page, after all that it leads on to."""
        # A browser keeps the mark of a row for itself.
        answer = self.ask("GET", path.partition("#")[0])
        for _ in range(8):
            if answer.status != 303:
                return self.seen(answer)
            answer = self.ask("GET", answer.location.partition("#")[0])
        self.monkey.fault(f"{self}: {path} leads round in circles to {answer.location}")
        return self.seen(answer)

    def seen(self, answer):
        page = Page(answer.text) if answer.text.lstrip().startswith("<") else Page("")
        page.status = answer.status
        if page.marks:
            self.marks = page.marks
        self.links = (*self.links, *(link for link in page.links if not link.startswith("/static")))[-60:]
        return page

    def send(self, chance, form, page):
        """Sends a form as a person does, and looks at the page that comes of it."""
        pairs = form.filled(chance, page.phrase)
        if form.method == "GET":
            return self.open(form.action + "?" + urllib.parse.urlencode(pairs))
        answer = self.ask("POST", form.action, pairs)
        if chance.random() < 0.05:
            answer = self.ask("POST", form.action, pairs)
        return self.open(answer.location) if answer.status == 303 else self.seen(answer)

    def listen(self):
        """Opens the pages again that listened until the server died, or the state sent them away."""
        if not self.opening.acquire(blocking=False):
            return
        try:
            self.streams = [stream for stream in self.streams if stream.is_open]
            while len(self.streams) < self.most and self.cookie:
                turns = self.program.turns
                try:
                    stream = Stream(self)
                except (OSError, http.client.HTTPException) as error:
                    return self.broke("GET /events", error, turns)
                self.monkey.write(self, "GET /events", stream.status)
                if stream.status != 200:
                    return stream.close()
                self.streams.append(stream)
        finally:
            self.opening.release()

    # Actions

    def choice(self, chance):
        monkey = self.monkey
        if self.state in ("", "uninitialized", "onboarding"):
            begins = [(self.onboards, 40), (self.steps_on, 10), (self.signs_up, 6), (self.signs_in, 14)]
        elif self.state == "blocked_no_sync":
            begins = [(self.deletes_server_data, 15), (self.looks, 10), (self.signs_out, 5), (self.restores, 15)]
        elif self.marks.get("tier") == "guest":
            begins = [(self.signs_up, 6), (self.signs_in, 8), (self.fills, 40), (self.corrects, 15), (self.looks, 15)]
        else:
            begins = [(self.fills, 45), (self.corrects, 20), (self.looks, 20), (self.switches_sync, 3),
                      (self.restores, 3), (self.ends_another, 2), (self.changes_password, 1), (self.signs_out, 3),
                      (self.deletes_account, 1), (self.signs_in, 3), (self.goes_on, 2)]
        always = [(self.looks, 6), (self.is_malformed, 7), (self.hangs_up, 6), (monkey.kill, 1.5), (monkey.command, 4),
                  (monkey.hostile.pushes, 6),
                  (self.goes_on, 2)]
        actions, weights = zip(*begins, *always)
        return chance.choices(actions, weights)[0]

    def looks(self, chance):
        path = chance.choice(PAGES)
        if chance.random() < 0.3 and self.links:
            path = chance.choice(list(self.links))
        elif path == "/transactions":
            path += "?" + urllib.parse.urlencode(chance.choice([
                {"q": chance.choice(WORDS)}, {"month": chance.choice(MONTHS)}, {"kind": "transfer", "month": "all"},
                {"account": UNKNOWN}, {"after": "x"}]))
        elif path == "/reports":
            path += "?" + urllib.parse.urlencode({
                "group": chance.choice(["category", "month", "account", "payee", "worth"]),
                "from": chance.choice(MONTHS), "to": chance.choice(MONTHS)})
        elif path == "/budgets":
            path += f"?month={chance.choice(MONTHS)}"
        self.open(path)

    def fills(self, chance):
        page = self.open(chance.choice(WITH_FORMS))
        forms = [form for form in page.forms if not GRAVE.fullmatch(form.action)]
        if forms:
            page = self.send(chance, chance.choice(forms), page)
            # What a page offers to take back is taken back now and then.
            undo = [form for form in page.forms if re.search(r"/(restore|undo)$", form.action)]
            if undo and chance.random() < 0.3:
                self.send(chance, chance.choice(undo), page)

    def corrects(self, chance):
        links = [link for link in self.links if ENTITY.match(link)]
        if not links:
            return self.fills(chance)
        link = chance.choice(links)
        if chance.random() < 0.1:
            # What another device deleted, or this one.
            page = self.open("/accounts")
            csrf = next((value for form in page.forms for _, name, value, _ in form.fields if name == "csrf"), "")
            self.ask("POST", f"{link}/{chance.choice(['delete', 'restore', 'undo'])}", {"csrf": csrf})
            return
        page = self.open(link)
        forms = [form for form in page.forms if form.action.startswith(link)]
        if forms:
            page = self.send(chance, chance.choice(forms), page)
            undo = [form for form in page.forms if form.action.endswith("/restore")]
            if undo and chance.random() < 0.5:
                self.send(chance, undo[0], page)

    def onboards(self, chance):
        page = self.open("/")
        for _ in range(5):
            steps = [form for form in page.forms if form.action.startswith("/onboarding/")]
            if not steps:
                return
            page = self.send(chance, steps[0], page)

    def steps_on(self, chance):
        page = self.open("/")
        for form in page.forms[:1]:
            self.send(chance, form, page)

    def credentials(self, chance, is_right=0.92):
        email = chance.choice(EMAILS)
        password = self.monkey.passwords[email]
        return {"email": email, "password": password if chance.random() < is_right else chance.choice(
            ["wrong password 1", *PASSWORDS])}

    def signs_up(self, chance):
        self.signs(chance, "/sign-up", self.credentials(chance, is_right=0.9))

    def signs_in(self, chance):
        self.signs(chance, "/sign-in", self.credentials(chance))

    def signs(self, chance, action, fields):
        page = self.open("/sign-in")
        form = next((form for form in page.forms if form.action == action), None)
        if form is None:
            return
        csrf = next((value for _, name, value, _ in form.fields if name == "csrf"), "")
        answer = self.ask("POST", action, {"csrf": csrf, **fields})
        if answer.status == 303:
            if action == "/sign-up":
                self.monkey.passwords[fields["email"]] = fields["password"]
            self.open(answer.location)

    def confirms(self, chance, path, action=None):
        page = self.open(path)
        forms = [form for form in page.forms if form.action.startswith(action or path)]
        if forms:
            self.send(chance, chance.choice(forms), page)

    def signs_out(self, chance):
        # Out, wait, or stay: whatever the page offers.
        self.confirms(chance, "/sign-out")

    def deletes_account(self, chance):
        self.confirms(chance, "/account/delete")

    def deletes_server_data(self, chance):
        self.confirms(chance, "/blocked")

    def switches_sync(self, chance):
        self.confirms(chance, "/settings", "/settings/sync")

    def restores(self, chance):
        self.confirms(chance, "/subscription", "/subscription/restore")

    def ends_another(self, chance):
        self.confirms(chance, "/settings/devices", "/settings/devices/")

    def goes_on(self, chance):
        """What is pressed where something has stopped."""
        path = chance.choice(["/error", "/error", "/sync", "/sync/review", "/download", "/verifying"])
        page = self.open(path)
        forms = [form for form in page.forms if re.match(r"/(error|sync|download|verifying)/", form.action)]
        if forms:
            self.send(chance, chance.choice(forms), page)
        else:
            # Not offered any more, and pressed on a page that is old.
            path = chance.choice(["/error/retry", "/error/dismiss", "/sync/retry", "/sync/anew", "/download/dismiss",
                                  "/verifying/retry", "/verifying/cancel", "/sign-out/wait", "/sign-out/stay",
                                  "/settings/sync", "/subscription/purchase", "/blocked/delete-server-data"])
            self.ask("POST", path, {"sync": chance.choice(["on", "off"]), "confirm": ""} if self.csrf else {"csrf": ""})

    def changes_password(self, chance):
        page = self.open("/settings/password")
        if not any(form.action == "/settings/password" for form in page.forms):
            return
        email = next((value for form in page.forms for _, name, value, _ in form.fields if name == "username"), "")
        new = chance.choice([*PASSWORDS, "short"])
        answer = self.ask("POST", "/settings/password", {
            "username": email, "password": self.monkey.passwords.get(email, PASSWORD), "new_password": new})
        if answer.status == 303 and answer.location == "/settings":
            self.monkey.passwords[email] = new

    def is_malformed(self, chance):
        """Requests that no page sends, with the answers that are right for them."""
        self.open("/settings")
        csrf = self.csrf or ""
        entity = chance.choice(["transactions", "accounts", "categories", "budgets"])
        method, path, fields, right = chance.choice([
            ("POST", "/transactions", {"csrf": "0" * 64}, {403}),
            ("POST", "/transactions", {"csrf": "", "amount": "1"}, {403}),
            ("POST", "/accounts", [("csrf", csrf), ("name", "a"), ("name", "b")], {400, 403}),
            ("GET", "/transactions?month=2026-01&month=2026-02", None, {400}),
            ("GET", f"/{entity}/{UNKNOWN}", None, {404, 303}),
            ("POST", f"/{entity}/{UNKNOWN}", {"csrf": csrf, "name": "x"}, {404, 303, 403}),
            ("POST", f"/{entity}/{UNKNOWN}/delete", {"csrf": csrf}, {404, 303, 403}),
            ("POST", f"/{entity}/{UNKNOWN}/restore", {"csrf": csrf}, {404, 303, 403}),
            ("POST", f"/sync/review/{UNKNOWN}", {"csrf": csrf, "choose": "mine"}, {404, 303, 403}),
            ("POST", "/sync/operations/999999/revert", {"csrf": csrf}, {404, 303, 403}),
            ("POST", "/history/999999/undo", {"csrf": csrf}, {404, 303, 403}),
            ("POST", f"/settings/devices/{UNKNOWN}/sign-out", {"csrf": csrf}, None),
            ("GET", f"/{entity}/ZZ", None, {404}),
            ("GET", "/transactions/../../etc/passwd", None, {404, 400}),
            ("GET", "/nowhere", None, {404}),
            ("PUT", "/transactions", None, {405}),
            ("DELETE", f"/{entity}/{UNKNOWN}", None, {405}),
            ("GET", "/sign-up", None, {405}),
            ("POST", "/transactions", {"csrf": csrf, "note": "x" * 70_000}, {413}),
            ("POST", "/transactions", {"csrf": csrf, "payee": "\0\ud7ff\uffff"}, {400, 422, 303, 403}),
            ("GET", "/status.json?" + "x" * 40_000, None, {400, 413, 414, 431}),
        ])
        answer = self.ask(method, path, fields)
        if right and answer.status not in right | {503}:
            self.monkey.fault(f"{self}: {method} {path[:80]} was answered {answer.status}, not {sorted(right)}")

    def hangs_up(self, chance):
        """Half a request, or half its answer, and then no client."""
        self.open("/transactions/new")
        body = urllib.parse.urlencode({
            "csrf": self.csrf or "", "kind": "expense", "amount": "1", "payee": "hangs up", "date": "2026-11-20"})
        path = chance.choice(["/export/breadly.json", "/events", "/", "/settings", "/reports"])
        head = f"HTTP/1.1\r\nHost: 127.0.0.1:{self.program.port}\r\nCookie: {self.cookie or ''}\r\n"
        post = (f"POST /transactions {head}Content-Type: application/x-www-form-urlencoded\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}").encode()
        get = f"GET {path} {head}\r\n".encode()
        text, take = chance.choice([
            (post[:chance.randrange(len(post))], 0), (post, chance.choice([0, 1])), (get, 0),
            (get, chance.randrange(1, 4_000)), (get[:chance.randrange(len(get))], 0), (get * 5, 10),
            (b"\x16\x03\x01\x02\x00\x01", 0), (b"GET / HTTP/9.9\r\n\r\n", 100), (b"\r\n" * 200, 0),
            (f"POST /accounts {head}Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\nx".encode(), 0)])
        turns = self.program.turns
        try:
            with socket.create_connection(("127.0.0.1", self.program.port), timeout=PATIENCE) as line:
                if chance.random() < 0.5:
                    # A reset instead of an orderly end.
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                line.sendall(text)
                if take:
                    line.recv(take)
        except ConnectionRefusedError as error:
            self.broke("a connection", error, turns)
        except OSError:
            # Some of these are cut off by the server before they have said all.
            pass
        self.monkey.write(self, f"hangs up after {len(text)} bytes of {text[:24]!r} and {take} of the answer", "-")

    # In the end

    def rests(self, waits):
        """Whether the lifecycle has come to a state that it stays in, or waits for its user because of one of these.
        An error that it has stopped at is pushed on."""
        self.open("/")
        self.standing = self.status()
        if self.standing["state"] == "error":
            # Where trying again does not help, because the device was signed out from elsewhere, it is left out.
            page = self.open("/error")
            forms = [form for form in page.forms if form.action.startswith("/error/")]
            self.send(self.decides, self.decides.choice([forms[0], forms[-1]]), page)
        return (self.standing["state"] in ("uninitialized", "onboarding", "local_only", "synced", "blocked_no_sync")
                or self.standing["sync"]["error"] in waits)

    def comes_back(self):
        """Signs in again where it was signed out from elsewhere, looks for premium, and continues to sync."""
        chance = self.decides
        if self.standing["sync"]["error"] == "sign_in_again":
            email = self.standing["user"]["email"]
            self.signs(chance, "/sign-in", {"email": email, "password": self.monkey.passwords[email]})
        self.restores(chance)
        for path, action in (("/settings", "/settings/sync"), ("/sync", "/sync/anew")):
            page = self.open(path)
            for form in page.forms:
                if form.action == action and ("hidden", "sync", "off", False) not in form.fields:
                    self.send(chance, form, page)

    def looks_at_everything(self):
        paths = PAGES + [link for link in dict.fromkeys(self.links) if ENTITY.match(link)][-5:]
        for path in paths:
            best, tries, deadline = None, 0, time.monotonic() + 120
            while best is None or (best > PAGE_SECONDS and tries < 20 and time.monotonic() < deadline):
                began = time.monotonic()
                page = self.open(path)
                seconds = time.monotonic() - began
                best, tries = min(best or seconds, seconds), tries + 1
                # Deleted on another device, or asked by a device that was signed out from elsewhere.
                may_fail = page.status == 404 if ENTITY.match(path) else (
                    page.status == 403 and path == "/settings/devices")
                self.monkey.check(page.status == 200 or may_fail, f"{self}: {path} is answered {page.status}")
            self.monkey.check(best <= PAGE_SECONDS, f"{self}: {path} takes {best:.2f} s at its best of {tries} times")

    @property
    def syncs(self):
        """Whether it takes part: neither signed out from elsewhere nor left behind by a deletion."""
        return (self.standing["state"] == "synced"
                and self.standing["sync"]["error"] not in ("sign_in_again", "data_deleted"))

    def is_in_step(self):
        self.standing = self.status()
        if not self.syncs:
            return True
        if self.standing["sync"]["error"] == "refused_changes":
            page = self.open("/sync")
            for form in [form for form in page.forms if form.action.endswith(("/revert", "/retry"))][:1]:
                self.send(self.decides, form, page)
            return False
        page = self.open("/sync/review")
        decisions = [form for form in page.forms if form.action.startswith("/sync/review/")]
        for form in decisions:
            self.send(self.decides, form, page)
        return not decisions and (self.standing["sync"]["phase"], self.standing["sync"]["pending"]) == ("idle", 0)

    def book(self):
        """All that the devices of a user have in common."""
        book = json.loads(self.ask("GET", "/export/breadly.json").text)
        # The devices of a user ask in the languages of their browsers.
        sheet = self.ask("GET", "/export/transactions.csv?cells=comma").text.lstrip("\ufeff")
        rows = csv.DictReader(io.StringIO(sheet))
        sections = {name: sorted(book[name], key=lambda row: row["id"])
                    for name in ("accounts", "categories", "budgets", "transactions")}
        return {**sections, "preferences": [book["preferences"]],
                "csv": sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))}


def test_a_monkey_breaks_nothing(tmp_path):
    print(f"seed {SEED}, {STEPS} steps")
    server = Mortal("serve", tmp_path / "data", "--trusted-proxy", "127.0.0.1/32", "--max-guests", "100000",
                    "--max-guests-per-hour", "100000")
    monkey = Monkey(server)
    hands = [threading.Thread(target=monkey.work, args=(number,), name=f"hand {number}") for number in range(HANDS)]
    try:
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        print(f"{time.monotonic() - monkey.began:.1f} s, {server.deaths} deaths, slowest {monkey.slowest}, "
              f"answers {dict(monkey.counts.most_common())}, states {[one.state for one in monkey.browsers]}")
        monkey.check(server.is_alive, "the server is dead")
        monkey.everything_is_well()
        server.note("SIGTERM at the end")
        code = server.kill(signal.SIGTERM)
        monkey.check(code == 0, f"SIGTERM ended the server with {code}")
        checked = server.doctor()
        monkey.check(checked.returncode == 0, f"doctor says: {checked.stdout}{checked.stderr}")
        monkey.check(not server.faults(), "the server's log tells of faults")
        print(f"{time.monotonic() - monkey.began:.1f} s in all")
    finally:
        monkey.over.set()
        server.kill()
        for browser in monkey.browsers:
            for stream in browser.streams:
                stream.close()
