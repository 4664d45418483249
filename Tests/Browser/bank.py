"""A SimpleFIN server as its public documentation describes it, with one account."""
import base64
import http.server
import json
import threading
import time

PASSWORD = "access-password-1414"


class Bank:
    """Answers on a free port of this machine. `transactions` can be changed at any time."""

    def __init__(self):
        now = int(time.time())
        self.name = "Checking"
        self.balance = "987.65"
        self.transactions = [
            {"id": "s1", "posted": now - 3 * 86_400, "amount": "-42.10", "description": "GREEN MARKET 8080",
             "payee": "Green Market"},
            {"id": "s2", "posted": now - 2 * 86_400, "amount": "1500.00", "description": "Payroll"},
            {"id": "s3", "posted": 0, "pending": True, "transacted_at": now - 3_600, "amount": "-5",
             "description": "Corner Cafe"},
        ]
        self.tokens = set()
        bank = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                is_known = self.path in bank.tokens
                bank.tokens.discard(self.path)
                text = f"http://user:{PASSWORD}@{bank.host}/simplefin" if is_known else "Forbidden"
                self.answer(200 if is_known else 403, "text/plain", text)

            def do_GET(self):
                wanted = "Basic " + base64.b64encode(f"user:{PASSWORD}".encode()).decode()
                if self.headers.get("Authorization") != wanted:
                    return self.answer(403, "application/json", json.dumps({"errors": ["Forbidden"], "accounts": []}))
                account = {
                    "org": {"domain": "bank.example", "name": "Green Credit Union"}, "id": "chk", "name": bank.name,
                    "currency": "USD", "balance": bank.balance, "balance-date": int(time.time()),
                    "transactions": bank.transactions,
                }
                self.answer(200, "application/json", json.dumps({"errors": [], "accounts": [account]}))

            def answer(self, status, kind, text):
                content = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def token(self, name):
        """A new setup token, which can be claimed once."""
        path = f"/claim/{name}"
        self.tokens.add(path)
        return base64.b64encode(f"http://{self.host}{path}".encode()).decode()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
