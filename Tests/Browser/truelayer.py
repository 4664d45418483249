"""TrueLayer as its public documentation describes it: a consent page, tokens with PKCE, and one bank with an account."""
import base64
import datetime
import hashlib
import html
import http.server
import json
import threading
import urllib.parse

SECRET = "client-secret-1618"


def day(ago):
    return (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=ago)).strftime("%Y-%m-%dT09:00:00Z")


class TrueLayer:
    """Answers on a free port of this machine. `booked` and `pending` can be changed at any time."""

    def __init__(self):
        self.booked = [
            self.row("t1", 3, -12.5, "GREEN GROCER 4242", "Green Grocer"), self.row("t2", 2, 1500, "Salary"),
        ]
        self.pending = [self.row("t3", 1, -3.2, "Coffee")]
        self.codes = {}
        # The number of the consent by access, and by token for renewal.
        self.access, self.renewals = {}, {}
        self.revoked = set()
        self.count = 0
        bank = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                parts = urllib.parse.urlsplit(self.path)
                if parts.path == "/":
                    return self.answer(200, bank.page(dict(urllib.parse.parse_qsl(parts.query))), "text/html")
                consent = self.consent()
                if consent is None:
                    return self.answer(401, json.dumps({"error": "invalid_token"}))
                results = bank.results(parts.path, consent)
                status, content = (404, {"error": "not_found"}) if results is None else (200, {"results": results})
                self.answer(status, json.dumps(content))

            def do_POST(self):
                fields = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
                tokens = bank.tokens(fields)
                self.answer(200 if tokens else 400, json.dumps(tokens or {"error": "invalid_grant"}))

            def do_DELETE(self):
                consent = self.consent()
                if consent is None:
                    return self.answer(401, json.dumps({"error": "invalid_token"}))
                bank.revoked.add(consent)
                self.answer(204, "")

            def consent(self):
                number = bank.access.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
                return None if number in bank.revoked else number

            def answer(self, status, text, kind="application/json"):
                content = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def row(name, ago, amount, description, merchant=None):
        return {"transaction_id": name, "timestamp": day(ago), "amount": amount, "currency": "GBP",
                "description": description, "transaction_type": "DEBIT" if amount < 0 else "CREDIT",
                **({"merchant_name": merchant} if merchant else {})}

    def options(self, folder):
        """The options of a server that is registered here."""
        file = folder / "truelayer-secret"
        file.write_text(SECRET)
        return ["--truelayer-client-id", "breadly-test", "--truelayer-client-secret-file", str(file),
                "--truelayer-auth-address", self.address, "--truelayer-api-address", self.address]

    def page(self, query):
        assert query["client_id"] == "breadly-test" and query["code_challenge_method"] == "S256", query
        self.count += 1
        code = f"code-{self.count}"
        self.codes[code] = query["code_challenge"]
        back = query["redirect_uri"] + "?" + urllib.parse.urlencode({"code": code, "state": query["state"]})
        return f'<!doctype html><title>Green Bank</title><a href="{html.escape(back)}">Allow</a>'

    def tokens(self, fields):
        if fields.get("client_secret") != SECRET:
            return None
        if fields["grant_type"] == "refresh_token":
            consent = self.renewals.pop(fields["refresh_token"], None)
            if consent is None or consent in self.revoked:
                return None
        else:
            proof = hashlib.sha256(fields["code_verifier"].encode()).digest()
            challenge = self.codes.pop(fields["code"], None)
            if challenge != base64.urlsafe_b64encode(proof).rstrip(b"=").decode():
                return None
            consent = fields["code"].removeprefix("code-")
        self.count += 1
        access, renewal = f"access-{self.count}-2718", f"renewal-{self.count}-1414"
        self.access = {token: number for token, number in self.access.items() if number != consent}
        self.access[access] = self.renewals[renewal] = consent
        return {"access_token": access, "refresh_token": renewal, "expires_in": 3600, "token_type": "Bearer"}

    def results(self, path, consent):
        bank = {"display_name": "Green Bank", "provider_id": "green"}
        return {
            "/data/v1/me": [{"client_id": "breadly-test", "credentials_id": f"c{consent}", "provider": bank}],
            "/data/v1/accounts": [{"account_id": "acc-1", "account_type": "TRANSACTION", "currency": "GBP",
                                   "display_name": "Club Account", "provider": bank}],
            "/data/v1/cards": [],
            "/data/v1/accounts/acc-1/balance": [{"currency": "GBP", "available": 1300, "current": 1234.56}],
            "/data/v1/accounts/acc-1/transactions": self.booked,
            "/data/v1/accounts/acc-1/transactions/pending": self.pending,
        }.get(path)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
