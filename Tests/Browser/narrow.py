"""A way to a server on which what a browser sends can come to a standstill: the connections stay, and nothing moves."""
import select
import socket
import threading


class Narrow:
    """Passes bytes on in both directions, as they are. `halt_after` is the number of bytes of each new connection after
    which no more is read from the browser, until `let_go` is called; None for no such number."""

    def __init__(self, port):
        self.target = port
        self.halt_after = None
        self.is_halted = threading.Event()
        self.moves = threading.Event()
        self.moves.set()
        self.is_over = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.is_over:
            try:
                browser = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.pass_on, args=(browser,), daemon=True).start()

    def pass_on(self, browser):
        # A small buffer: the browser's progress is the number of bytes that the system has taken.
        browser.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            return browser.close()
        count = 0
        try:
            while True:
                for ready in select.select([browser, server], [], [])[0]:
                    piece = ready.recv(65_536)
                    if not piece:
                        return
                    (server if ready is browser else browser).sendall(piece)
                    count += len(piece) if ready is browser else 0
                if self.halt_after is not None and count > self.halt_after:
                    self.moves.clear()
                    self.is_halted.set()
                    self.moves.wait()
        except OSError:
            pass
        finally:
            browser.close()
            server.close()

    def halt(self, after):
        """Lets connections halt once they have sent so many bytes."""
        self.is_halted.clear()
        self.halt_after = after

    def let_go(self):
        """Lets everything move again."""
        self.halt_after = None
        self.moves.set()

    def stop(self):
        self.is_over = True
        self.let_go()
        self.listener.close()
