"""A client of the cloud that is faulty or means harm: it has a user's password, and pushes whatever it likes."""
import http.client
import json
import time
import urllib.parse

from people import PATIENCE

KINDS = ["account", "category", "transaction", "budget", "schedule", "preferences", "receipt", "view", "rule",
         "payeeDefault", "conflict", "no_such_kind"]
FIELDS = ["name", "type", "currency", "opening", "kind", "parent", "icon", "color", "date", "amount", "account", "toAccount",
          "toAmount", "accountAmount", "category", "payee", "note", "tags", "limit", "from", "until", "rollover", "pace",
          "start", "every", "unit", "end", "openingDay", "transaction", "sha256", "size", "closed", "split", "baseCurrency", "*",
          "future"]
ODD = [None, "", "x", "usd", "EUR", "ZZZ", "0" * 26, "01m80d00000000000000000000", "é" * 5_000, "\u202e gnol", "=1+1", "2026-02-30",
       "2026-11-21", "x" * 65_536, -1, 0, 1, 10 ** 15, 10 ** 15 + 1, 2 ** 63 - 1, -2 ** 63, 1.5, True, {"a": [1]}, [], "null"]

# Their words are those of any version: a device shows the entry as it was, and a new device does not show it.
CHOICES = ["type", "kind", "bankAccountType", "icon", "color", "pace", "conflictPolicy", "weekStart", "theme", "unit", "shift",
           "record", "choice"]


class Hostile:
    """One of them for each user, with a device of its own. It never lets a push rest because of an answer."""

    def __init__(self, monkey):
        self.monkey = monkey
        self.tokens = {}

    def __str__(self):
        return "the hostile client"

    def ask(self, method, path, body=None, token=None, raw=None):
        """The status and the object of an answer; nothing if the server was killed meanwhile."""
        server, began = self.monkey.server, time.monotonic()
        turns = server.turns
        headers = {"Content-Type": "application/json", "X-Forwarded-For": "10.0.1.1"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            line.request(method, "/cloud/v1" + path, raw if raw is not None else json.dumps(body) if body else None, headers)
            answer = line.getresponse()
            status, text = answer.status, answer.read()
            line.close()
        except (OSError, http.client.HTTPException) as error:
            with server.gate:
                if server.is_alive and server.turns == turns:
                    self.monkey.fault(f"{self}: {method} {path}: {error}, and the server was not killed")
            return 0, {}
        self.monkey.write(self, f"{method} {path[:60]}", status, time.monotonic() - began)
        if status >= 500 and status not in (503, 507):
            self.monkey.fault(f"{self}: {method} {path[:60]} was answered {status}: {text[:300]}")
        try:
            return status, json.loads(text)
        except ValueError:
            return status, {}

    def pushes(self, chance):
        email = chance.choice(list(self.monkey.passwords))
        token = self.tokens.get(email)
        if token is None:
            status, answer = self.ask("POST", "/sign-in", {
                "account": {"email": email, "password": self.monkey.passwords[email]}, "deviceName": "Hostile",
                "guest": self.id(chance)})
            if status != 200:
                return
            token = self.tokens[email] = answer["token"]
        replica = self.id(chance)
        query = urllib.parse.urlencode(
            {"device": replica, "epoch": 1, "cursor": 0, "limit": 200, "lastN": 0, "seen": 0})
        status, page = self.ask("GET", f"/changes?{query}", token=token)
        if status == 401:
            self.tokens.pop(email, None)
        epoch = page.get("epoch", 1)
        if status == 409:
            status, page = self.ask("GET", f"/changes?{query.replace('epoch=1', f'epoch={epoch}')}", token=token)
        rows = page.get("changes", [])
        operations = [self.operation(chance, n + 1, rows) for n in range(chance.choice([1, 1, 2, 5]))]
        body = {"device": replica, "epoch": epoch, "schema": 1, "seen": 0, "ops": operations}
        if chance.random() < 0.15:
            text = json.dumps(body)
            cut = chance.randrange(len(text))
            raw = chance.choice([text[:cut], text[:cut] + "\0" + text[cut:], "[" * 5_000, "{}", text + text])
            self.ask("POST", "/push", raw=raw.encode(), token=token)
        else:
            self.ask("POST", "/push", body, token)

    def operation(self, chance, number, rows):
        row = chance.choice(rows) if rows and chance.random() < 0.5 else None
        fields = list(row["fields"]) if row and row["fields"] else FIELDS
        values = {field: self.value(chance, rows)
                  for field in chance.sample(fields, min(len(fields), chance.choice([1, 1, 3, 8])))}
        kind = chance.choice(["create", "create", "patch", "patch", "delete"] if chance.random() < 0.98 else ["burn"])
        if row:
            values = {field: value for field, value in values.items()
                      if field not in CHOICES or not isinstance(value, str)}
        operation = {
            "n": number, "opId": f"{chance.getrandbits(128):032x}", "tx": 1, "type": kind,
            "kind": row["kind"] if row else chance.choice(KINDS),
            # A deletion of what its user has would only be a deletion.
            "id": row["id"] if row and kind == "patch" else self.id(chance)}
        if kind != "delete":
            operation["fields"] = values
        return operation

    @staticmethod
    def value(chance, rows):
        if rows and chance.random() < 0.2:
            return chance.choice(rows)["id"]
        return chance.choice(ODD)

    @staticmethod
    def id(chance):
        return "01m8" + "".join(chance.choice("0123456789abcdefghjkmnpqrstvwxyz") for _ in range(22))
