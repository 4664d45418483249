"""A line to a cloud that can be cut in parts: the test's own proxy in front of `breadly cloud`."""
import http.server
import threading
import urllib.error
import urllib.request


class Line:
    """Passes everything on but the paths in `cut`, which are answered with a 500; cut whole, nothing.

    A request that contains `hold` gets no answer until it is released. `answers` gives the status with which requests to
    paths are answered instead, by a part of the path. `parts` has the header lines `Content-Range` of the bytes of files
    that were passed on.
    """

    def __init__(self, target):
        self.cut = set()
        self.is_cut = False
        self.answers = {}
        self.parts = []
        self.held = None
        self.passing = 0
        self.is_held = threading.Event()
        self.change = threading.Condition()
        line = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, answer = 500, b"cut"
                with line.change:
                    if line.held and line.held in self.path:
                        line.passing -= 1
                        if line.passing < 0:
                            line.is_held.set()
                            line.change.wait_for(lambda: not (line.held and line.held in self.path))
                given = [line.answers[part] for part in line.answers if part in self.path]
                if given:
                    status, answer = given[0], b""
                elif not line.is_cut and self.path not in line.cut:
                    if body and self.headers.get("Content-Range"):
                        line.parts.append(self.headers["Content-Range"])
                    request = urllib.request.Request(target + self.path, method=self.command, data=body or None)
                    for name in ("Content-Type", "Content-Encoding", "Content-Range", "Range", "Authorization"):
                        if self.headers.get(name):
                            request.add_header(name, self.headers[name])
                    try:
                        with urllib.request.urlopen(request, timeout=70) as reply:
                            status, answer = reply.status, reply.read()
                    except urllib.error.HTTPError as error:
                        status, answer = error.code, error.read()
                try:
                    self.send_response(status)
                    if status != 204:
                        self.send_header("Content-Length", str(len(answer)))
                    self.end_headers()
                    if status != 204:
                        self.wfile.write(answer)
                except OSError:
                    self.close_connection = True  # The client waits no more.

            do_GET = do_POST = do_PUT = do_DELETE = pass_on

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def hold(self, part, after=0):
        """Lets requests with this in their path wait, but for the first ones; None lets them go."""
        with self.change:
            self.held = part
            self.passing = after
            self.is_held.clear()
            self.change.notify_all()

    def stop(self):
        self.hold(None)
        self.server.shutdown()
        self.server.server_close()
