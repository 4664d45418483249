#!/usr/bin/env python3
"""Real servers and a real cloud fail in one way after another; how long until all books are equal again?

    Tests/Convergence/converge.py [--rounds N] [--seed N] [--longest SECONDS] [--only WORDS]

Three devices of one user, on two servers before one cloud with a line of their own each, or on one server that holds
the cloud itself. In each round something fails for a while. Users enter things all the time meanwhile, or once. Once it
is over one of them enters something more, or no user does anything, so that only what waits by itself can notice that
the failure has ended. The clock runs until all devices and the cloud hold the same. What each user did and saw is
recorded, and compared with the end (`record.py`).

Prints the seed, each round, and how the times are spread for each fault and for each ending, beside the targets. Ends
with 1 where the books stay different or the record is violated, and leaves the folder with logs and books.
"""
import argparse
import html
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

import forms  # noqa: E402
from people import PASSWORD, Person, Program  # noqa: E402
from record import Record  # noqa: E402
from wire import Wire  # noqa: E402

LOST = (OSError, http.client.HTTPException)
# Seconds until books that are still different are taken for different for good.
PATIENCE = 180
TABLES = ("accounts", "categories", "budgets", "transactions")
# What a slow line is measured with.
DRAINED, DRAINED_BYTES, DRAIN_SECONDS = 500, 2_000, 90
# Seconds within which 99 of 100 rounds, and all of them, should be equal again.
TARGETS = (2, 5)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"


class Hand(Person):
    """A user who enters and changes things, and remembers what they saw."""

    def __init__(self, name, program, record, seed):
        super().__init__(program)
        self.name, self.record_of_all = name, record
        self.chance = random.Random(f"{seed} {name}")
        self.number = 0
        self.known = {}
        self.account = None

    def enter(self, path, fields):
        """Sends a form; false where no answer says that it counts."""
        try:
            return self.ask("POST", path, fields).status == 303
        except LOST:
            return False

    def look(self):
        """The book as it is here."""
        book = json.loads(self.get("/export/breadly.json"))
        book = {table: {row["id"]: row for row in book[table]} for table in TABLES}
        for row in book["transactions"].values():
            self.known[row["tags"][0]] = row["id"]
            self.record_of_all.see(self.name, row["tags"][0], shown(row))
        return book

    def value(self, field):
        """One that was never there before, in the whole of a run."""
        self.number += 1
        if field == "amount":
            return self.number * 100 + ord(self.name[0]) % 100
        return f"{field} {self.name}{self.number}"

    def act(self):
        """Makes, changes or deletes an entry."""
        lot = self.chance.random()
        if lot < 0.3 or not self.known:
            self.make()
        elif lot < 0.95:
            self.change(self.chance.choice(sorted(self.known)))
        else:
            mark = self.chance.choice(sorted(self.known))
            answered = self.enter(f"/transactions/{self.known[mark]}/delete", {})
            self.record_of_all.delete(mark, answered)
            del self.known[mark]

    def make(self):
        self.number += 1
        mark = f"m{self.name}{self.number}"
        fields = {field: self.value(field) for field in ("payee", "note", "amount")}
        self.record_of_all.create(mark, False)
        answered = self.enter("/transactions", {
            "kind": "expense", "date": "2026-11-20", "currency": "EUR", "account": self.account, "tags": mark, **fields,
            "amount": money(fields["amount"])})
        self.record_of_all.create(mark, answered)
        if answered:
            self.record_of_all.see(self.name, mark, fields)

    def change(self, mark):
        path = f"/transactions/{self.known[mark]}"
        try:
            answer = self.ask("GET", path)
        except LOST:
            return
        form = next((form for form in forms.Page(answer.text).forms if form.action == path), None)
        if answer.status != 200 or form is None:
            return
        pairs = filled(form)
        pairs["note"] = html.unescape(re.search(r'<textarea[^>]*name="note"[^>]*>([^<]*)<', answer.text).group(1))
        seen = {field: pairs[field] for field in ("payee", "note", "amount")}
        seen["amount"] = round(float(seen["amount"].replace(",", "")) * 100)
        self.record_of_all.see(self.name, mark, seen)
        field = self.chance.choice(("payee", "note", "amount"))
        value = self.value(field)
        pairs[field] = money(value) if field == "amount" else value
        at = time.time()
        answered = self.enter(path, pairs)
        self.record_of_all.write(at, self.name, mark, field, value, answered)


def money(minor):
    return f"{minor // 100}.{minor % 100:02}"


def shown(row):
    return {"payee": row["payee"], "note": row["note"], "amount": row["amountMinor"]}


def filled(form):
    """A form as it was opened."""
    pairs = {}
    for kind, name, value, options in form.fields:
        if kind == "select":
            value = next((one for one, is_on in options if is_on), options[0][0] if options else "")
        elif kind == "radio" and not options or kind in ("submit", "checkbox"):
            continue
        pairs[name] = value
    return pairs


class House:
    """The programs of a run, and the devices of its user."""

    def __init__(self, folder, seed, is_embedded):
        self.folder, self.is_embedded = folder, is_embedded
        self.record = Record()
        self.wires = []
        folder.mkdir()
        if is_embedded:
            self.cloud = None
            self.servers = [Program("serve", folder / "data", "--premium", "everyone")]
            self.cloud_file = folder / "data"
            places = [0, 0, 0]
        else:
            self.cloud = Program("cloud", folder / "cloud", "--premium", "everyone")
            self.wires = [Wire(self.cloud.port) for _ in range(2)]
            self.servers = [
                Program("serve", folder / f"data{number}", "--cloud", f"http://127.0.0.1:{wire.port}")
                for number, wire in enumerate(self.wires)
            ]
            self.cloud_file = folder / "cloud"
            places = [0, 0, 1]
        self.hands = [Hand(name, self.servers[place], self.record, seed) for name, place in zip("abc", places)]
        words = {"email": "anna@x.test", "password": PASSWORD}
        for hand in self.hands:
            if hand is self.hands[0]:
                hand.onboard()
            path = "/sign-up" if hand is self.hands[0] else "/sign-in"
            assert hand.post("/sign-in", path, **words) == 303
            hand.settle()
            form = hand.get("/transactions/new")
            hand.account = re.search(r'<select[^>]*name="account".*?<option[^>]*value="([^"]+)"', form, re.S).group(1)

    @property
    def programs(self):
        return [*self.servers, *([self.cloud] if self.cloud else [])]

    def kept(self):
        """The live rows of the cloud, by kind."""
        rows = {}
        path = next(self.cloud_file.glob("cloud.sqlite"))
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as file:
            for kind, row, fields in file.execute("SELECT kind, id, fields FROM entities WHERE is_deleted = 0"):
                rows.setdefault(kind, {})[row] = json.loads(fields)
        return rows

    def differing(self):
        """How the devices and the cloud differ; nothing where they are equal."""
        books = [hand.look() for hand in self.hands]
        for hand, book in zip(self.hands[1:], books[1:]):
            for table in TABLES:
                here, there = books[0][table], book[table]
                for row in here.keys() | there.keys():
                    if here.get(row) != there.get(row):
                        return f"{table} {row}: a has {here.get(row)}, {hand.name} has {there.get(row)}"
        kept = self.kept().get("transaction", {})
        book = books[0]["transactions"]
        for row in book.keys() | kept.keys():
            here, there = book.get(row), kept.get(row)
            if here is None or there is None or shown(here) != {field: there.get(field) for field in shown(here)}:
                return f"transaction {row}: a has {here}, the cloud has {there}"
        return None

    def told(self):
        """The values that are reported as lost: in records of the cloud, and in those of the devices."""
        marks = {row: mark for hand in self.hands for mark, row in hand.known.items()}
        conflicts, losses = set(), set()
        for fields in self.kept().get("conflict", {}).values():
            conflicts.add((marks.get(fields["entity"]), fields["field"], json.loads(fields["lost"])))
        for server in self.servers:
            for path in (server.folder / "devices").rglob("*.sqlite"):
                with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as file:
                    for row, mine in file.execute("SELECT id, mine FROM losses"):
                        losses.update((marks.get(row), field, value) for field, value in json.loads(mine).items())
        return conflicts, losses

    def faults(self):
        """What the record says of the end."""
        book = self.hands[0].look()
        rows = [(row["tags"][0], shown(row)) for row in book["transactions"].values()]
        return self.record.check(rows, *self.told())

    def stop(self):
        """Ends all programs, and gives back what is wrong with their folders."""
        wrong = []
        for wire in self.wires:
            wire.turn("open")
        for program in self.programs:
            program.kill(signal.SIGTERM)
            checked = program.doctor()
            if checked.returncode:
                wrong.append(checked.stdout + checked.stderr)
        for wire in self.wires:
            wire.stop()
        return wrong


# What fails: how it begins, and how it ends.
def killed(program):
    return program.kill, program.start


def paused(program):
    return (lambda: program.process.send_signal(signal.SIGSTOP)), (lambda: program.process.send_signal(signal.SIGCONT))


def turned(wires, way):
    def turn(to):
        for wire in wires:
            wire.turn(to)
    return (lambda: turn(way)), (lambda: turn("open"))


def failures(house, chance):
    """What can fail in a house, by name."""
    server = chance.choice(house.servers)
    all_of_it = {"server killed": killed(server), "server paused": paused(server)}
    if house.is_embedded:
        return {f"{name}, cloud in it": how for name, how in all_of_it.items()}
    wires = chance.choice([house.wires, house.wires[:1], house.wires[1:]])
    all_of_it |= {"cloud killed": killed(house.cloud), "cloud paused": paused(house.cloud)}
    for way in ("refused", "silent", "dead", "late", "slow"):
        all_of_it[f"line {way}"] = turned(wires, way)
    return all_of_it


def fail(house, how, seconds, is_busy, is_left_alone, chance):
    """Something fails for a while. Gives back how long it takes from its end until all are equal."""
    begin, end = how
    stop = threading.Event()

    def work(hand):
        while not stop.wait(hand.chance.uniform(0.05, 0.6)):
            hand.act()
            if not is_busy:
                return

    working = house.hands if is_busy else [chance.choice(house.hands)]
    hands = [threading.Thread(target=work, args=(hand,)) for hand in working]
    # One change alone is made while something fails; many begin before.
    if not is_busy:
        begin()
    for thread in hands:
        thread.start()
    if is_busy:
        begin()
    stop.wait(seconds)
    stop.set()
    end()
    for thread in hands:
        thread.join()
    begun = time.monotonic()
    if not is_left_alone:
        chance.choice(house.hands).make()
    while True:
        different = house.differing()
        took = time.monotonic() - begun
        if different is None:
            return took
        if took > PATIENCE:
            raise AssertionError(f"different after {took:.0f} s: {different}")
        time.sleep(0.02)


def drain(house):
    """How long a slow line takes for many large entries that were made while it was cut."""
    hand, wire = house.hands[0], house.wires[0]
    wire.turn("refused")
    for _ in range(DRAINED):
        hand.number += 1
        mark = f"m{hand.name}{hand.number}"
        note = "".join(hand.chance.choices(LETTERS, k=DRAINED_BYTES))
        answered = hand.enter("/transactions", {
            "kind": "expense", "date": "2026-11-20", "currency": "EUR", "account": hand.account, "tags": mark,
            "amount": "1.00", "payee": mark, "note": note})
        assert answered, "an entry is refused"
        house.record.create(mark, answered)
    begun = time.monotonic()
    wire.turn("slow")
    while hand.status()["sync"]["pending"]:
        assert time.monotonic() - begun < PATIENCE * 2, "a slow line drains nothing"
        time.sleep(0.05)
    took = time.monotonic() - begun
    wire.turn("open")
    return took


def spread(times):
    times = sorted(times)

    def at(part):
        return times[min(len(times) - 1, int(len(times) * part))]
    is_met = at(0.99) <= TARGETS[0] and times[-1] <= TARGETS[1]
    return (f"{len(times):5} {at(0.5):8.2f} {at(0.9):8.2f} {at(0.99):8.2f} {times[-1]:8.2f}"
            f"  {'met' if is_met else 'missed'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 1_000_000))
    parser.add_argument("--longest", type=float, default=6, help="the longest failure, in seconds")
    parser.add_argument("--only", default="", help="only failures with this in their name, as `line dead`")
    options = parser.parse_args()
    print(f"{options.rounds} rounds, seed {options.seed}, load {os.getloadavg()[0]:.1f}", flush=True)
    chance = random.Random(options.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="convergence-"))
    times, endings, wrong, house = {}, {}, [], None
    # A fifth of the rounds goes to a server with a cloud in it.
    embedded = 0 if options.only.startswith(("cloud", "line")) else options.rounds // 5
    try:
        for is_embedded, rounds in ((False, options.rounds - embedded), (True, embedded)):
            if not rounds:
                continue
            house = House(folder / ("embedded" if is_embedded else "apart"), options.seed, is_embedded)
            names = []
            for number in range(rounds):
                all_of_it = {name: how for name, how in failures(house, chance).items() if options.only in name}
                # Each of them once before one of them comes again.
                names = names or chance.sample(sorted(all_of_it), len(all_of_it))
                name, seconds = names.pop(), chance.uniform(0.5, options.longest)
                is_busy, is_left_alone = chance.random() < 0.6, chance.random() < 0.5
                took = fail(house, all_of_it[name], seconds, is_busy, is_left_alone, chance)
                times.setdefault(name, []).append(took)
                ending = "left alone" if is_left_alone else "then a change"
                endings.setdefault(ending, []).append(took)
                print(f"{number + 1:4}  {name:28} {seconds:4.1f} s, {'busy' if is_busy else 'quiet':5}, {ending:13}: "
                      f"equal after {took:6.2f} s", flush=True)
            if not is_embedded and not options.only:
                seconds = drain(house)
                print(f"      {DRAINED} operations of {DRAINED_BYTES} bytes over {Wire.SLOW_BYTES} bytes a second: "
                      f"{seconds:.1f} s", flush=True)
                if seconds > DRAIN_SECONDS:
                    wrong.append(f"a slow line takes {seconds:.0f} s, more than {DRAIN_SECONDS}")
                begun = time.monotonic()
                while different := house.differing():
                    assert time.monotonic() - begun < PATIENCE, f"different after a slow line: {different}"
                    time.sleep(0.1)
            wrong += house.faults() + house.stop()
            house = None
    except AssertionError as error:
        wrong.append(str(error) or repr(error))
    finally:
        if house:
            wrong += list(house.record.faults)
            for program in house.programs:
                if program.is_alive:
                    program.process.send_signal(signal.SIGCONT)
                    program.kill()
    print(f"\nseconds until equal, load {os.getloadavg()[0]:.1f}")
    print(f"{'':28} {'n':>5} {'median':>8} {'p90':>8} {'p99':>8} {'worst':>8}  {TARGETS[0]} s, {TARGETS[1]} s")
    for name, some in [*sorted(times.items()), *sorted(endings.items())]:
        print(f"{name:28} {spread(some)}")
    print(f"{'all':28} {spread([one for some in times.values() for one in some])}" if times else "no round was done")
    for fault in wrong:
        print(f"wrong: {fault}")
    if wrong:
        sys.exit(f"{len(wrong)} faults with seed {options.seed}; logs and books are in {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
