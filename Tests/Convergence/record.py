"""What people did and saw, and what must hold of it.

Each value is written once, so that a value tells which write it comes from. A write is one field of one entry; a write
without an answer, because the server died, may count or not.
"""
import collections
import threading

GUARDED = {"amount"}

Write = collections.namedtuple("Write", "at person entry field value is_answered seen")


class Record:
    """The writes of all people, and the values that each of them has seen, in their order."""

    def __init__(self):
        self.lock = threading.Lock()
        self.writes = []
        # By person, entry and field: the values, each once, the latest last.
        self.views = collections.defaultdict(list)
        self.created = {}
        self.deleted = {}
        # Each once, however often it is seen.
        self.faults = {}

    def see(self, person, entry, fields):
        """A user looked at an entry.

        Nothing that was followed by another value comes back: neither after an own write (read your writes), nor after
        another user's (monotonic reads).
        """
        with self.lock:
            for field, value in fields.items():
                view = self.views[person, entry, field]
                if view and view[-1] == value:
                    continue
                if value in view:
                    self.faults[f"{person} sees {entry}.{field} = {value!r} again, after {view[-1]!r}"] = True
                    continue
                view.append(value)

    def write(self, at, person, entry, field, value, is_answered):
        """A user changed a field, knowing what they had seen of it."""
        with self.lock:
            view = self.views[person, entry, field]
            self.writes.append(Write(at, person, entry, field, value, is_answered, frozenset(view)))
            if is_answered:
                view.append(value)

    def create(self, mark, is_answered):
        """A user made an entry that bears a mark."""
        with self.lock:
            self.created[mark] = is_answered

    def delete(self, mark, is_answered):
        """A user deleted an entry. It stays so."""
        with self.lock:
            self.deleted[mark] = self.deleted.get(mark, False) or is_answered

    def check(self, rows, conflicts, losses):
        """Holds the record against the end, and gives back what is wrong.

        - `rows`: of each entry its mark and its fields.
        - `conflicts`: the guarded values that are reported as lost, as (mark, field, value).
        - `losses`: the other ones.
        """
        faults = list(self.faults)
        marks = collections.Counter(mark for mark, _ in rows)
        for mark, is_answered in self.created.items():
            if marks[mark] > 1:
                faults.append(f"{mark} is there {marks[mark]} times")
            if not marks[mark] and is_answered and mark not in self.deleted:
                faults.append(f"{mark} was answered and is not there")
            if marks[mark] and self.deleted.get(mark):
                faults.append(f"{mark} was deleted and is there")
        faults += [f"{mark} is there and no user made it" for mark in marks.keys() - self.created.keys()]
        writes = collections.defaultdict(list)
        for write in self.writes:
            writes[write.entry, write.field].append(write)
        for mark, fields in rows:
            for field, value in fields.items():
                faults += self.wrong(mark, field, value, writes[mark, field], conflicts, losses)
        return faults

    @staticmethod
    def wrong(mark, field, value, writes, conflicts, losses):
        """What is wrong with the last value of a field."""
        for write in writes:
            if write.is_answered and value in write.seen:
                yield f"{mark}.{field} is {value!r}, although {write.person} wrote {write.value!r} over it"
        told = conflicts if field in GUARDED else losses
        for write in writes:
            # A value that a user saw before they wrote another one was replaced on purpose.
            if write.is_answered and write.value != value and not any(write.value in other.seen for other in writes):
                if (mark, field, write.value) not in told:
                    yield f"{mark}.{field} is {value!r}: nothing tells of {write.value!r} of {write.person}"
