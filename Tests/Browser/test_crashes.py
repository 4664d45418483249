"""The real processes, killed at random moments under load: what was answered is there, once, on both devices.

ROUNDS says how often, SEED which moments.
"""
import http.client
import os
import random
import re
import signal
import threading

from conftest import PATIENCE
from people import PASSWORD, Person, Program

ROUNDS = int(os.environ.get("ROUNDS", "20"))
SEED = int(os.environ.get("SEED", "1"))


def test_a_server_that_waits_for_news_of_its_cloud_stops_when_it_is_told(tmp_path):
    cloud = Program("cloud", tmp_path / "cloud", "--premium", "everyone")
    server = Program("serve", tmp_path / "data", "--cloud", f"http://127.0.0.1:{cloud.port}")
    person = Person(server)
    person.onboard()
    assert person.post("/sign-in", "/sign-up", email="anna@x.test", password=PASSWORD) == 303
    person.settle()
    # The poll would go on for most of a minute.
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=PATIENCE) == 0
    assert cloud.kill(signal.SIGTERM) == 0


def test_nothing_that_was_answered_is_lost(tmp_path):
    print(f"{ROUNDS} rounds, seed {SEED}")
    chance = random.Random(SEED)
    cloud = Program("cloud", tmp_path / "cloud", "--premium", "everyone")
    server = Program("serve", tmp_path / "data", "--cloud", f"http://127.0.0.1:{cloud.port}")
    first, second = Person(server), Person(server)
    first.onboard()
    words = {"email": "anna@x.test", "password": PASSWORD}
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
    # A device with nothing to send may not have the other's last changes yet.
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
