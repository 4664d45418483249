"""A line between a server and its cloud that fails as lines do: TCP, byte by byte, without a look at what is said."""
import socket
import struct
import threading
import time


class Wire:
    """Passes on what comes, in one of these ways:

    - `open`: at once;
    - `refused`: connections are closed at once, those that are open too;
    - `silent`: nothing moves; what was under way arrives once the line is open again;
    - `dead`: nothing moves, and no connection of that time or before carries anything again;
    - `late`: each piece waits for a while;
    - `slow`: so many bytes a second in each direction, for all connections together.
    """
    LATE_SECONDS = 0.2
    SLOW_BYTES = 25_000

    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.way = "open"
        self.change = threading.Condition()
        self.connections = set()
        self.free_at = {"up": 0.0, "down": 0.0}
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def turn(self, way):
        """From now on it works in another way."""
        with self.change:
            self.way = way
            if way == "dead":
                for connection in self.connections:
                    connection.is_dead = True
            gone = list(self.connections) if way == "refused" else []
            self.change.notify_all()
        for connection in gone:
            connection.close()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.way == "refused":
                reset(near)
                continue
            try:
                far = socket.create_connection(self.target, timeout=10)
            except OSError:
                reset(near)
                continue
            far.settimeout(None)
            connection = Connection(near, far)
            with self.change:
                connection.is_dead = self.way == "dead"
                self.connections.add(connection)
            for here, there, direction in ((near, far, "up"), (far, near, "down")):
                threading.Thread(target=self.pump, args=(connection, here, there, direction), daemon=True).start()

    def pump(self, connection, here, there, direction):
        try:
            while data := here.recv(4_096):
                if not self.wait(connection, len(data), direction):
                    continue
                there.sendall(data)
        except OSError:
            pass
        # The end of a connection is held up as its bytes are.
        self.wait(connection, 0, direction)
        connection.close()
        with self.change:
            self.connections.discard(connection)

    def wait(self, connection, count, direction):
        """Until it is the turn of these bytes; false where they are lost."""
        with self.change:
            self.change.wait_for(lambda: self.way != "silent" or connection.is_dead)
            if connection.is_dead:
                return False
            way = self.way
            if way == "slow":
                begin = max(time.monotonic(), self.free_at[direction])
                self.free_at[direction] = begin + count / self.SLOW_BYTES
                pause = self.free_at[direction] - time.monotonic()
            else:
                pause = self.LATE_SECONDS if way == "late" else 0
        if pause > 0:
            time.sleep(pause)
        return True

    def stop(self):
        self.listener.close()
        self.turn("refused")


class Connection:
    """Two sockets, one on each side."""

    def __init__(self, near, far):
        self.sockets = (near, far)
        self.is_dead = False

    def close(self):
        for one in self.sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()


def reset(one):
    """Ends a connection as a port does at which no server listens."""
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.close()
