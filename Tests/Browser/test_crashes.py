"""The real processes, killed at random moments under load: what was answered is there, once, on both devices.

ROUNDS says how often, SEED which moments.
"""
import csv
import http.client
import io
import os
import random
import re
import signal
import socket
import subprocess
import threading
import urllib.parse

from conftest import BINARY, ROOT

ROUNDS = int(os.environ.get("ROUNDS", "20"))
SEED = int(os.environ.get("SEED", "1"))


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Program:
    """A program on a port that it keeps over its deaths."""

    def __init__(self, command, folder, *options):
        self.port = free_port()
        self.folder = folder
        self.arguments = [BINARY, command, "--port", str(self.port), "--data", folder, *options]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        cwd=ROOT)
        assert self.process.stdout.readline().startswith("Listening on http://")

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(timeout=10)
        self.process.stdout.close()

    def doctor(self):
        return subprocess.run([BINARY, "doctor", "--data", self.folder], capture_output=True, text=True)


class Person:
    """A browser without a window: a cookie, and forms."""

    def __init__(self, program):
        self.program = program
        self.cookie = None
        self.csrf = None

    def ask(self, method, path, fields=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.program.port, timeout=20)
        try:
            headers = {"Accept-Language": "en-IE"}
            if self.cookie:
                headers["Cookie"] = self.cookie
            body = None
            if fields is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
                body = urllib.parse.urlencode({"csrf": self.csrf, **fields})
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.getheader("Set-Cookie"):
                self.cookie = answer.getheader("Set-Cookie").split(";")[0]
            found = re.search(r'name="csrf" value="([^"]+)"', text)
            if found:
                self.csrf = found.group(1)
            return answer.status, text
        finally:
            connection.close()

    def get(self, path):
        return self.ask("GET", path)[1]

    def post(self, page, path, **fields):
        self.get(page)
        return self.ask("POST", path, fields)[0]

    def onboard(self):
        for step, fields in (("welcome", {}), ("currency", {"currency": "EUR"}), ("secondary", {}),
                             ("calendar", {"week_start": "monday"})):
            assert self.post(f"/onboarding/{step}", f"/onboarding/{step}", **fields) == 303

    def body(self, name):
        return re.search(rf'data-{name}="([^"]*)"', self.get("/transactions")).group(1)

    def settle(self):
        for _ in range(5_000):
            if (self.body("state"), self.body("sync"), self.body("pending")) == ("synced", "idle", "0"):
                return
        raise AssertionError(f"{self.body('state')} {self.body('sync')} {self.body('pending')}")

    def record(self, payee, account):
        return self.ask("POST", "/transactions", {
            "kind": "expense", "date": "2026-11-20", "amount": "1.00", "currency": "EUR", "account": account,
            "payee": payee})[0]

    def payees(self):
        return [row["payee"] for row in csv.DictReader(io.StringIO(self.get("/export/transactions.csv").lstrip("\ufeff")))]


def test_nothing_that_was_answered_is_lost(tmp_path):
    print(f"{ROUNDS} rounds, seed {SEED}")
    chance = random.Random(SEED)
    cloud = Program("cloud", tmp_path / "cloud", "--premium", "everyone")
    server = Program("serve", tmp_path / "data", "--cloud", f"http://127.0.0.1:{cloud.port}")
    first, second = Person(server), Person(server)
    first.onboard()
    words = {"email": "anna@x.test", "password": "correct horse battery"}
    assert first.post("/sign-in", "/sign-up", **words) == 303
    first.settle()
    assert second.post("/sign-in", "/sign-in", **words) == 303
    second.settle()
    form = first.get("/transactions/new")
    account = re.search(r'<select[^>]*name="account".*?<option[^>]*value="([^"]+)"', form, re.S).group(1)
    second.get("/transactions/new")
    answered, asked, stop = set(), set(), threading.Event()

    def work(person, name):
        number = 0
        while not stop.is_set():
            number += 1
            payee = f"{name}-{number}"
            asked.add(payee)
            try:
                if person.record(payee, account) == 303:
                    answered.add(payee)
            except (OSError, http.client.HTTPException):
                stop.wait(0.02)

    threads = [threading.Thread(target=work, args=(person, name)) for person, name in ((first, "a"), (second, "b"))]
    for thread in threads:
        thread.start()
    try:
        for _ in range(ROUNDS):
            stop.wait(chance.uniform(0.02, 0.3))
            dying = chance.choice([[server], [cloud], [server, cloud]])
            for program in dying:
                program.kill()
            for program in reversed(dying):
                program.start()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    # Who has nothing to send may not have heard of the other's last changes yet: after many failures in a row it asks
    # again within a minute.
    for _ in range(800):
        first.settle()
        second.settle()
        here, there = first.payees(), second.payees()
        if len(here) == len(there):
            break
    print(f"{len(answered)} of {len(asked)} changes were answered, {len(here)} are there")
    assert sorted(here) == sorted(there)
    assert len(here) == len(set(here)), "each once"
    assert answered <= set(here) <= asked
    for program in (server, cloud):
        program.kill(signal.SIGTERM)
        checked = program.doctor()
        assert checked.returncode == 0, checked.stdout + checked.stderr
