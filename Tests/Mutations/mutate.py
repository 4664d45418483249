#!/usr/bin/env python3
"""Puts one fault after another into the sources of sync, and runs the tests: each fault must be caught.

    Tests/Mutations/mutate.py [--seeds N] [--first-seed N] [--list FILE] [NAME...]

The faults stand in `mutations.txt`, as small edits of real lines. It works in a copy of the tree, `.build/mutations`,
with a manifest that is reduced to the targets of sync: the first run builds that copy as a whole, later ones only what
an edit touches. `git` and the tree itself are left alone.

A fault goes through the quick tests first, and only where those pass through the simulation, with as many lives as are
asked for, and through the tests of the cloud, which take longest. Ends with 1 where a fault was not caught or did not
compile, or where the tests fail without one.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / ".build" / "mutations"
LIST = pathlib.Path(__file__).with_name("mutations.txt")
TESTS = ["SyncCoreTests", "SyncEngineTests", "BookTests", "CloudProtocolTests", "CloudTests", "CloudClientTests",
         "SimulationTests"]
# What stands above them: its faults come last, in a build of its own.
DEVICES, DEVICE_TESTS = "Sources/Devices/", ["DevicesTests"]
SIMULATION = "whateverHappensAllEndsEqual"
# Those that put in faults of their own prove nothing about these, and take long.
SKIPPED = ["--skip", SIMULATION, "--skip", "FaultsThatArePutIn"]
BOOK_SUITES = "AnAttachedBook|Losses|AnEditWithABase|TheHashOfABook"
STAGES = [
    ("units", ["--filter", f"SyncCoreTests|SyncEngineTests|SimulationTests|{BOOK_SUITES}", *SKIPPED]),
    ("simulation", ["--filter", SIMULATION]),
    ("cloud", ["--filter", "CloudTests|CloudClientTests"]),
    ("devices", ["--filter", "DevicesTests"]),
]


def is_seen_in(stage, file):
    """Whether the tests of a stage see faults of a file. Those of the cloud do not see faults of a book or an engine."""
    if file.startswith(DEVICES) or stage == "devices":
        return file.startswith(DEVICES) and stage == "devices"
    return stage != "cloud" or not file.startswith(("Sources/Book/", "Sources/SyncEngine/"))


MANIFEST = """
// Reduced to the tests of sync and what they need.
var wanted: Set<String> = [%s]
wanted.insert("CSystem")
var unseen = Array(wanted)
while let name = unseen.popLast() {
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
        switch dependency {
        case .byNameItem(let below, _), .targetItem(let below, _):
            if wanted.insert(below).inserted { unseen.append(below) }
        default: break
        }
    }
}
package.targets.removeAll { !wanted.contains($0.name) }
// Where the tests begin, `XCTMain.swift` imports it.
package.targets.first { $0.isTest }?.dependencies.append("CSystem")
"""


class Mutation:
    """An edit of the sources: a name, a file, what it breaks, and the lines before and after."""

    def __init__(self, block):
        lines = block.rstrip("\n").split("\n")
        self.name, self.file = lines[0].strip(), lines[1].strip()
        self.why = " ".join(line.strip() for line in lines[2:] if line[:1] not in "-+")
        self.old = "\n".join(line[1:] for line in lines[2:] if line[:1] == "-")
        self.new = "\n".join(line[1:] for line in lines[2:] if line[:1] == "+")

    def apply(self, tree):
        path = tree / self.file
        text = path.read_text()
        assert text.count(self.old) == 1, f"{self.name}: its old text occurs {text.count(self.old)} times in {self.file}"
        path.write_text(text.replace(self.old, self.new))


def mutations(path):
    """The list: blocks that begin with `== `."""
    return [Mutation(block) for block in re.split(r"^== ", path.read_text(), flags=re.M)[1:]]


def update(source, target):
    """Makes a folder like another one, and touches only what differs: what is untouched is not built anew."""
    wanted = set()
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
        wanted.add(relative)
        copy = target / relative
        if path.is_dir():
            copy.mkdir(parents=True, exist_ok=True)
        elif not copy.exists() or copy.read_bytes() != path.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    for path in sorted(target.rglob("*"), reverse=True):
        if path.relative_to(target) not in wanted:
            path.rmdir() if path.is_dir() else path.unlink()


def prepare(tests):
    """Brings the copy up to date with the tree, reduced to some targets of tests."""
    for folder in ("Sources", "Tests", "Resources", "public", ".ci"):
        update(ROOT / folder, COPY / folder)
    for script in (COPY / ".ci").iterdir():
        script.chmod(0o755) if script.is_file() else None
    manifest = (ROOT / "Package.swift").read_text()
    manifest += MANIFEST % ", ".join(f'"{name}"' for name in tests)
    path = COPY / "Package.swift"
    if not path.exists() or path.read_text() != manifest:
        path.write_text(manifest)
    shutil.copyfile(ROOT / "Package.resolved", COPY / "Package.resolved")
    build = COPY / ".build"
    build.mkdir(exist_ok=True)
    if not (build / "swift-bin").exists():
        shutil.copyfile(ROOT / ".build" / "swift-bin", build / "swift-bin")


def run(command, limit, **environment):
    """Runs a command in the copy: its code, its output, and how long it took; 124 where that was too long."""
    begun = time.monotonic()
    # The copy is built in its own folder.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BREADLY_")}
    process = subprocess.Popen(command, cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", env={**kept, **environment}, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=limit)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        output, _ = process.communicate()
        code = 124
    return code, output, time.monotonic() - begun


def build(limit=3600):
    """A fault compiles the files that it touches, and not their modules."""
    flags = ["-no-whole-module-optimization", "-enable-batch-mode", "-incremental"]
    return run([".ci/build-tests", *(word for flag in flags for word in ("-Xswiftc", flag))], limit)


def test(seeds, first_seed, limit, files):
    """What fails, of the tests that see faults of some files; nothing where all is well."""
    for stage, filters in STAGES:
        if not any(is_seen_in(stage, file) for file in files):
            continue
        command = [".ci/with", ".ci/swift-tests", *filters]
        code, output, _ = run(command, limit, SEEDS=str(seeds), FIRST_SEED=str(first_seed))
        if code == 0:
            continue
        if code == 124:
            return f"{stage}: not done after {limit} s"
        life = re.search(r"^seed \d+: .*", output, re.M)
        if life:
            return f"{stage}: {life.group(0)}"
        failed = re.findall(r"^failed: .*/(\w+)\(", output, re.M)
        return f"{stage}: {', '.join(failed) or output.strip()[-200:]}"
    return ""


def try_all(wanted, tests, options):
    """Tries faults that the same tests see. Gives back the names of those that were not caught."""
    prepare(tests)
    code, output, seconds = build()
    assert code == 0, output[-4_000:]
    print(f"the tree as it is: built in {seconds:.0f} s", flush=True)
    failed = test(options.seeds, options.first_seed, options.limit, [one.file for one in wanted])
    if failed:
        sys.exit(f"the tests fail without a fault: {failed}")
    wrong = []
    for mutation in wanted:
        begun = time.monotonic()
        original = (COPY / mutation.file).read_text()
        try:
            mutation.apply(COPY)
            code, output, _ = build()
            if code:
                errors = re.findall(r"error: (.*)", output)
                outcome, how = "does not compile", errors[0] if errors else output[-200:]
            else:
                how = test(options.seeds, options.first_seed, options.limit, [mutation.file])
                outcome = "caught" if how else "survived"
        finally:
            (COPY / mutation.file).write_text(original)
        if outcome != "caught":
            wrong.append(mutation.name)
        print(f"{outcome:9} {time.monotonic() - begun:4.0f} s  {mutation.name}: {how[:160]}", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", help="only these; all where none is named")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=random.SystemRandom().randrange(1, 1_000_000))
    parser.add_argument("--limit", type=int, default=900, help="seconds that a run of the tests may take")
    parser.add_argument("--list", type=pathlib.Path, default=LIST)
    options = parser.parse_args()
    wanted = [one for one in mutations(options.list) if not options.names or one.name in options.names]
    assert wanted, "no fault has such a name"
    print(f"{len(wanted)} faults, {options.seeds} lives from seed {options.first_seed}", flush=True)
    wrong = []
    for tests, is_of_devices in ((TESTS, False), (TESTS + DEVICE_TESTS, True)):
        some = [one for one in wanted if one.file.startswith(DEVICES) == is_of_devices]
        if some:
            wrong += try_all(some, tests, options)
    if wrong:
        sys.exit(f"not caught: {', '.join(wrong)}")
    print("all caught")


if __name__ == "__main__":
    main()
