"""People without a window: programs that die and come back, cookies, forms, and streams of events."""
import collections
import csv
import http.client
import io
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ["BREADLY_TEST_BUILD"], "breadly")
PASSWORD = "correct horse battery"
# A machine that is busy with other tests takes its time: a wait that is longer than this has no end.
PATIENCE = 180


def free_port():
    """A port below those that the system gives to connections: a client that connects while no server listens could
    otherwise be given the very port that it knocks at, be connected to itself, and keep the server from it."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for port in random.SystemRandom().sample(range(10_000, first), 100):
        with socket.socket() as taken:
            try:
                taken.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise AssertionError("no port is free")


def wait_until(found, what, patience=PATIENCE):
    """Asks again and again, and gives back the first answer that is not false.

    `what` is the message of the failure; it may be a function, which is called at that time.
    """
    deadline = time.monotonic() + patience
    pause = threading.Event()
    while True:
        answer = found()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"in vain for {patience} s: {what() if callable(what) else what}"
        pause.wait(0.05)


class Program:
    """A program on a port that it keeps over its deaths. Its log outlives it too."""

    def __init__(self, command, folder, *options):
        self.port = free_port()
        self.folder = folder
        self.log = folder.parent / f"{folder.name}.log"
        self.arguments = [BINARY, command, "--port", str(self.port), "--data", folder, *options]
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("BREADLY_")}
        # No test sends a request to another server.
        self.environment["BREADLY_RATES"] = "off"
        # Where it crashes, the log says where, and does not bury it under registers.
        self.environment["SWIFT_BACKTRACE"] = "threads=crashed,registers=none,images=none,limit=24,color=no,sanitize=no"
        self.start()

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(self.arguments, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT,
                                            env=self.environment)
        line = self.process.stdout.readline()
        assert line.startswith("Listening on http://"), f"{line}\n{self.tail()}"

    @property
    def is_alive(self):
        return self.process.poll() is None

    def kill(self, how=signal.SIGKILL):
        """Ends it, and gives back the code that it ended with."""
        if self.is_alive:
            self.process.send_signal(how)
        code = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        return code

    def run(self, *arguments, given=None):
        """An operator's command over the same folder."""
        return subprocess.run([BINARY, *arguments, "--data", self.folder], capture_output=True, text=True,
                              input=given or "", env=self.environment, timeout=PATIENCE)

    def doctor(self):
        return self.run("doctor")

    def tail(self, lines=40):
        return "".join(self.log.read_text(errors="replace").splitlines(keepends=True)[-lines:])


Answer = collections.namedtuple("Answer", "status text location")


class Person:
    """A browser without a window: a cookie, and forms."""

    def __init__(self, program, **headers):
        self.program = program
        self.headers = {"Accept-Language": "en-IE", **headers}
        self.cookie = None
        self.csrf = None

    def ask(self, method, path, fields=None):
        """Sends a request. The fields of a form are a dictionary, or a list of pairs where names stand twice."""
        headers = dict(self.headers)
        if self.cookie:
            headers["Cookie"] = self.cookie
        body = None
        if fields is not None:
            pairs = list(fields.items()) if isinstance(fields, dict) else list(fields)
            if all(name != "csrf" for name, _ in pairs):
                pairs.insert(0, ("csrf", self.csrf))
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urllib.parse.urlencode(pairs)
        answer = self.sent(method, path, body, headers)
        found = re.search(r'name="csrf" value="([^"]+)"', answer.text)
        if found:
            self.csrf = found.group(1)
        return answer

    def sent(self, method, path, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.program.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content, kind = answer.read(), answer.getheader("Content-Type") or ""
            # A link may lead to a file.
            is_text = kind.startswith("text/") or "json" in kind
            text = content.decode() if is_text else content.decode("latin-1")
            given = answer.getheader("Set-Cookie")
            if given:
                self.cookie = given.split(";")[0]
            return Answer(answer.status, text, answer.getheader("Location"))
        finally:
            connection.close()

    def get(self, path):
        return self.ask("GET", path).text

    def post(self, page, path, **fields):
        self.get(page)
        return self.ask("POST", path, fields).status

    def onboard(self, currency="EUR"):
        for step, fields in (("welcome", {}), ("currency", {"currency": currency}), ("secondary", {}),
                             ("calendar", {"week_start": "monday"})):
            assert self.post(f"/onboarding/{step}", f"/onboarding/{step}", **fields) == 303

    def confirm(self, page):
        """Types what the page asks for, and sends it there."""
        phrase = re.search(r"data-phrase>([^<]*)<", self.get(page))
        words = {"confirm": phrase.group(1) if phrase else "", "password": PASSWORD}
        return self.ask("POST", page, words).status

    def body(self, name):
        return re.search(rf'data-{name}="([^"]*)"', self.get("/transactions")).group(1)

    def status(self):
        return json.loads(self.get("/status.json"))

    def settle(self):
        for _ in range(5_000):
            if (self.body("state"), self.body("sync"), self.body("pending")) == ("synced", "idle", "0"):
                return
        raise AssertionError(f"{self.body('state')} {self.body('sync')} {self.body('pending')}")

    def record(self, payee, account):
        return self.ask("POST", "/transactions", {
            "kind": "expense", "date": "2026-11-20", "amount": "1.00", "currency": "EUR", "account": account,
            "payee": payee}).status

    def payees(self):
        sheet = self.get("/export/transactions.csv?cells=comma").lstrip("\ufeff")
        return [row["payee"] for row in csv.DictReader(io.StringIO(sheet))]


class Stream:
    """An open page that listens: `GET /events`, read by a thread of its own until it ends."""

    def __init__(self, person):
        self.events = []
        self.status = None
        self.connection = http.client.HTTPConnection("127.0.0.1", person.program.port, timeout=PATIENCE)
        headers = {**person.headers, "Accept": "text/event-stream"}
        if person.cookie:
            headers["Cookie"] = person.cookie
        try:
            self.connection.request("GET", "/events", headers=headers)
            # Kept, because the answer takes the socket from the connection where it ends with it.
            self.socket = self.connection.sock
            self.answer = self.connection.getresponse()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise
        self.status = self.answer.status
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    @property
    def is_open(self):
        return self.reader.is_alive()

    def read(self):
        event = None
        try:
            while line := self.answer.readline():
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    self.events.append((event, json.loads(value)))
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            # The server died, or `close` was called here.
            pass

    def states(self, since=0):
        """The states that the page received, from the event of that number on."""
        return [data["state"] for event, data in self.events[since:] if event == "status"]

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.reader.join(PATIENCE)
        self.answer.close()
        self.connection.close()
