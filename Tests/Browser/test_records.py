"""The record of `Tests/Convergence` is held against the end of a run: what it has to catch, it catches."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Convergence"))

from record import Record  # noqa: E402


@pytest.fixture
def record():
    """An entry of Anna's that Ben has seen."""
    made = Record()
    made.create("m1", True)
    for person in ("anna", "ben"):
        made.see(person, "m1", {"payee": "first", "amount": 1})
    return made


def row(payee="first", amount=1, mark="m1"):
    return mark, {"payee": payee, "amount": amount}


def test_what_is_as_it_was_written_is_well(record):
    record.write(1, "anna", "m1", "payee", "second", True)
    record.see("ben", "m1", {"payee": "second"})
    record.write(2, "ben", "m1", "payee", "third", True)
    assert record.check([row("third")], set(), set()) == []


def test_nothing_is_lost_or_doubled(record):
    assert record.check([], set(), set()) == ["m1 was answered and is not there"]
    assert record.check([row(), row()], set(), set()) == ["m1 is there 2 times"]
    assert record.check([row(), row(mark="m2")], set(), set()) == ["m2 is there and no user made it"]
    record.delete("m1", False)
    assert record.check([], set(), set()) == record.check([row()], set(), set()) == []
    record.delete("m1", True)
    assert record.check([row()], set(), set()) == ["m1 was deleted and is there"]


def test_what_was_read_does_not_go_back(record):
    record.write(1, "anna", "m1", "payee", "second", True)
    record.see("anna", "m1", {"payee": "first"})
    record.see("anna", "m1", {"payee": "first"})
    assert record.check([row("second")], set(), set()) == ["anna sees m1.payee = 'first' again, after 'second'"]


def test_an_answered_value_is_not_lost(record):
    record.write(1, "anna", "m1", "payee", "second", True)
    assert record.check([row("first")], set(), set())[0] == (
        "m1.payee is 'first', although anna wrote 'second' over it")
    record.write(2, "anna", "m1", "amount", 2, False)
    assert record.check([row("second", 1)], set(), set()) == record.check([row("second", 2)], set(), set()) == []


@pytest.mark.parametrize("field, values", [("payee", ("of anna", "of ben")), ("amount", (2, 3))])
def test_a_value_that_gave_way_unseen_is_told(record, field, values):
    record.write(1, "anna", "m1", field, values[0], True)
    record.write(2, "ben", "m1", field, values[1], True)
    last = row(**{field: values[1]})
    told = {("m1", field, values[0])}
    assert record.check([last], set(), set()) == [f"m1.{field} is {values[1]!r}: nothing tells of {values[0]!r} of anna"]
    kinds = (told, set()) if field == "amount" else (set(), told)
    assert record.check([last], *kinds) == []
