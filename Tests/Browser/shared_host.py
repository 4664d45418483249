"""One host for several servers: a reverse proxy that passes paths on as they are."""
import http.client
import http.server
import threading


class SharedHost:
    """Gives each path of `targets` (path: port) to a server, with the headers that a proxy adds."""

    def __init__(self):
        self.targets = {}
        shared = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                target = next((port for path, port in shared.targets.items()
                               if self.path == path or self.path.startswith(path + "/")), None)
                if target is None:
                    self.send_response(502)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                server = http.client.HTTPConnection("127.0.0.1", target)
                server.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items():
                    if name.lower() not in ("connection", "content-length"):
                        server.putheader(name, value)
                server.putheader("X-Forwarded-For", self.client_address[0])
                server.putheader("X-Forwarded-Proto", "http")
                if body or self.command == "POST":
                    server.putheader("Content-Length", str(len(body)))
                server.endheaders(body or None)
                try:
                    self.answer(server.getresponse())
                except OSError:
                    self.close_connection = True  # The browser has gone on.
                finally:
                    server.close()

            def answer(self, reply):
                self.send_response_only(reply.status)
                for name, value in reply.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding"):
                        self.send_header(name, value)
                # A stream of events has no length: its end is the connection's.
                ends = reply.headers["Content-Length"] is None and reply.status not in (204, 304)
                if ends:
                    self.send_header("Connection", "close")
                    self.close_connection = True
                self.end_headers()
                while self.command != "HEAD" and (piece := reply.read1(65_536)):
                    self.wfile.write(piece)
                    self.wfile.flush()

            do_GET = do_HEAD = do_POST = pass_on

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://localhost:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
