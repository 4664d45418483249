"""A real server on a free port and a real Chromium, one pair for each test."""
import os
import signal
import subprocess
import zlib

import pytest
from playwright.sync_api import expect, sync_playwright

from line import Line
from people import BINARY, ROOT

# Playwright's own if it is not given.
CHROMIUM = os.environ.get("CHROMIUM")
# Seconds: a machine that is busy with other things takes its time.
PATIENCE = int(os.environ.get("PATIENCE", "120"))
RUNS_ALL = os.environ.get("BREADLY_VARIANTS") == "all"
SIZES = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1440, "height": 900}}

expect.set_options(timeout=PATIENCE * 1_000)


class Server:
    """`breadly serve` over a data folder that outlives it, on the port given or on any that is free."""

    def __init__(self, folder, *options, command="serve", port=0):
        self.folder = folder
        self.options = options
        self.command = command
        self.wanted_port = port
        self.process = None
        self.port = None
        self.url = None
        self.start()

    def start(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("BREADLY_")}
        # No test sends a request to another server.
        environment["BREADLY_RATES"] = "off"
        # A demo has a folder of its own, which it removes.
        data = [] if self.command == "demo" else ["--data", self.folder]
        self.process = subprocess.Popen(
            [BINARY, self.command, "--port", str(self.wanted_port), *data, *self.options],
            stdout=subprocess.PIPE, stderr=open(self.folder.parent / "server.log", "a"), text=True, cwd=ROOT,
            env=environment)
        line = self.process.stdout.readline()
        assert line.startswith("Listening on http://"), line
        self.port = int(line.strip().rsplit(":", 1)[1])
        # The same name each time, so that the browser keeps its cookie over a restart on another port.
        self.url = f"http://localhost:{self.port}"

    def run(self, *arguments):
        """An operator's command over the same folder."""
        done = subprocess.run([BINARY, *arguments, "--data", self.folder], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()


@pytest.fixture
def server(tmp_path):
    running = Server(tmp_path / "data")
    yield running
    running.stop()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def pytest_configure(config):
    config.addinivalue_line("markers", "without_script: the test also runs without JavaScript")


def variants_of(name, choices):
    """One of the choices, which depends on the name of the test; all of them with BREADLY_VARIANTS=all."""
    return choices if RUNS_ALL else [choices[zlib.crc32(name.encode()) % len(choices)]]


def pytest_generate_tests(metafunc):
    """A test with a `page` runs at one size with JavaScript; one that is marked so also at the other size without. One with
    `javascript` or `size` makes its pages itself. The tests over HTTP post all forms without a script."""
    definition = metafunc.definition
    is_also_plain = RUNS_ALL or any(definition.iter_markers("without_script"))
    given = {name.strip() for mark in definition.iter_markers("parametrize") if isinstance(mark.args[0], str)
             for name in mark.args[0].split(",")}
    if "size" in metafunc.fixturenames and "size" not in given:
        metafunc.parametrize("size", variants_of(metafunc.function.__name__, list(SIZES)))
    if "javascript" in metafunc.fixturenames and "javascript" not in given:
        metafunc.parametrize("javascript", [True, False] if is_also_plain else [True], ids=lambda js: "js" if js else "plain")
    if "page" not in metafunc.fixturenames or "page" in given:
        return
    pairs = [[("phone", True), ("desktop", False)], [("desktop", True), ("phone", False)]]
    variants = [variant for pair in variants_of(metafunc.function.__name__, pairs) for variant in pair]
    if not is_also_plain:
        variants = [(size, javascript) for size, javascript in variants if javascript]
    names = [f"{size}-{'js' if javascript else 'plain'}" for size, javascript in variants]
    metafunc.parametrize("page", variants, ids=names, indirect=True)


@pytest.fixture
def page(request, chromium):
    """A new visitor of a size, with JavaScript on or off."""
    size, javascript = request.param
    context = chromium.new_context(
        viewport=SIZES[size], java_script_enabled=javascript, locale="en-IE", timezone_id="Europe/Dublin",
        color_scheme="dark" if size == "phone" else "light", reduced_motion="reduce", ignore_https_errors=True)
    context.set_default_timeout(PATIENCE * 1_000)
    page = context.new_page()
    page.javascript = javascript
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda message: page.faults.append(message.text)
            if message.type == "error" and "status of 4" not in message.text else None)
    yield page
    assert page.faults == []
    context.close()


@pytest.fixture
def new_page(chromium):
    """Makes visitors for tests in which there are several."""
    contexts = []
    faults = []

    def make_page(javascript=True, size="phone", touch=False):
        context = chromium.new_context(
            viewport=SIZES[size], java_script_enabled=javascript, has_touch=touch, locale="en-IE",
            timezone_id="Europe/Dublin", color_scheme="dark" if size == "phone" else "light", reduced_motion="reduce",
            ignore_https_errors=True)
        context.set_default_timeout(PATIENCE * 1_000)
        contexts.append(context)
        page = context.new_page()
        page.javascript = javascript
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield make_page
    for context in contexts:
        # A page that loads itself anew at that moment can keep its context from ever closing.
        context.set_offline(True)
        context.close()
    assert faults == []


@pytest.fixture
def premium(tmp_path):
    """A server on which each signed-in user is premium."""
    running = Server(tmp_path / "data", "--premium", "everyone")
    yield running
    running.stop()


@pytest.fixture
def apart(tmp_path):
    """A cloud on its own, a line to it that can be cut, and a server behind the line."""
    cloud = Server(tmp_path / "cloud", "--premium", "everyone", command="cloud")
    line = Line(cloud.url)
    server = Server(tmp_path / "data", "--cloud", line.url)
    yield server, line, cloud
    server.stop()
    line.stop()
    cloud.stop()
