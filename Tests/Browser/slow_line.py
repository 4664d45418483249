"""A TCP line with a rate in each direction and losses, between this machine and itself."""
import random
import socket
import threading
import time

SEGMENT = 1_460
# Seconds that a lost segment takes until it is sent again.
AGAIN = 0.4


class SlowLine:
    """Passes bytes on to a port: so many thousand a second in each direction, of which some segments are lost."""

    def __init__(self, port, kilobytes, loss=0.01, seed=7):
        self.target = port
        self.rate = kilobytes * 1_000
        self.loss = loss
        self.chance = random.Random(seed)
        # Up, down.
        self.bytes = [0, 0]
        self.free = [0.0, 0.0]
        self.lock = threading.Lock()
        self.listener = socket.socket()
        # Little is on its way unseen: what a sender has sent has left, or soon will.
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(50)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.socket()
            far.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
            try:
                far.connect(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            for pair in ((near, far, 0), (far, near, 1)):
                threading.Thread(target=self.pump, args=pair, daemon=True).start()

    def pump(self, source, sink, way):
        try:
            while segment := source.recv(SEGMENT):
                with self.lock:
                    lost = AGAIN if self.chance.random() < self.loss else 0
                    self.free[way] = max(self.free[way], time.monotonic()) + len(segment) / self.rate + lost
                    self.bytes[way] += len(segment)
                    arrival = self.free[way]
                time.sleep(max(0, arrival - time.monotonic()))
                sink.sendall(segment)
        except OSError:
            pass
        try:
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def stop(self):
        self.listener.close()
