"""A book that was used for long: many months, long names, several scripts, large amounts."""
import datetime
import html
import re

import forms
from people import Person, wait_until

UNBROKEN = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
LONG_NAME = "Gemeinsames Haushaltskonto bei der Sparkasse Niederösterreich Mitte West"
ARABIC = "مخبز الحي القديم"
HEBREW = "חשבון משותף"
LONG_PAYEE = UNBROKEN * 2
LARGE = "123456789.12"
EMAIL = "maximiliane.konstantinopolitanischedudelsackpfeiferin@haushalt.example-of-a-long-name.test"
TODAY = datetime.date.today()


def month(back):
    """A month before this one, as `2026-11`."""
    index = TODAY.year * 12 + TODAY.month - 1 - back
    return f"{index // 12}-{index % 12 + 1:02}"


class Filler(Person):
    """Fills a book through its forms."""

    def options(self, page, name):
        """What a select offers, by label."""
        select = re.search(rf'<select[^>]*name="{name}".*?</select>', self.get(page), re.S).group(0)
        found = re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)</option>', select)
        return {html.unescape(label).split(" › ")[-1]: value for value, label in found}

    def send(self, path, **fields):
        answer = self.ask("POST", path, fields)
        assert answer.status == 303, f"{path} {fields}: {re.findall(r'data-field=.*', answer.text)}"

    def buy(self, payee, category=""):
        """An expense of today, in cash."""
        category = category and self.options("/transactions/new", "category")[category]
        account = self.options("/transactions/new", "account")["Cash"]
        self.send("/transactions", kind="expense", date=TODAY.isoformat(), amount="12.50", currency="EUR",
                  account=account, category=category, payee=payee)

    def in_step(self):
        wait_until(lambda: (self.body("sync"), self.body("pending")) == ("idle", "0"), "a device that is in step")

    def path_of(self, page, name):
        """The page of the first row of a list that has the name in it."""
        row = re.search(rf'data-id="([^"]+)"(?:(?!data-id).)*?{re.escape(name)}', self.get(page), re.S)
        return f"{page}/{row.group(1)}"

    def change(self, payee, **fields):
        """Changes the latest entry of a payee in its own form."""
        path = self.path_of("/transactions", payee)
        form = next(form for form in forms.Page(self.get(path)).forms if form.action == path)
        shown = {name: value for kind, name, value, _ in form.fields if kind in ("hidden", "text")}
        for kind, name, value, options in form.fields:
            if kind == "select":
                shown[name] = next((one for one, is_on in options if is_on), options[0][0] if options else "")
            elif kind == "radio" and options or kind == "date":
                shown[name] = value
        self.send(path, **{**shown, **fields})

    def attach(self, transaction, *files):
        """Puts files beside a transaction, each a name and its bytes."""
        self.get(transaction)
        parts = [("csrf", None, self.csrf.encode())] + [("file", name, content) for name, content in files]
        body = b""
        for field, name, content in parts:
            more = f'; filename="{name}"' if name else ""
            body += f'--b\r\nContent-Disposition: form-data; name="{field}"{more}\r\n\r\n'.encode() + content + b"\r\n"
        headers = {**self.headers, "Cookie": self.cookie, "Content-Type": "multipart/form-data; boundary=b"}
        assert self.sent("POST", f"{transaction}/attachments", body + b"--b--\r\n", headers).status == 303

    def begin(self):
        """As far as the last question."""
        for step, fields in (("welcome", {}), ("currency", {"currency": "EUR"}), ("secondary", {})):
            self.post(f"/onboarding/{step}", f"/onboarding/{step}", **fields)

    def fill(self):
        self.onboard()
        self.get("/accounts")
        for name, kind, currency, opening in (
                (LONG_NAME, "bank", "EUR", "98765432.10"), (UNBROKEN, "savings", "USD", LARGE),
                (HEBREW, "bank", "EUR", "250.00"), ("円", "cash", "JPY", "1234567890"),
                ("Mortgage", "loan", "EUR", "-245000")):
            self.send("/accounts", name=name, type=kind, currency=currency, opening=opening)
        for name in (UNBROKEN[:60], "طعام", "Presents for birthdays, weddings and other feasts of the family"):
            self.send("/categories", name=name, kind="expense", icon="gift", color="plum")
        accounts = self.options("/transactions/new", "account")
        categories = self.options("/transactions/new", "category")
        for category, limit in (("", "3000"), ("Groceries", "100"), (UNBROKEN[:60], LARGE), ("طعام", "60"),
                                ("Travel", "1")):
            self.send("/budgets", category=category and categories[category], limit=limit, **{"from": month(5)},
                      rollover="on" if category == "طعام" else "")

        def buy(date, amount, account, category, payee, **more):
            fields = {"kind": "expense", "currency": "EUR", **more}
            self.send("/transactions", date=date, amount=amount, account=accounts[account], payee=payee,
                      category=category and categories[category], **fields)

        for back in range(14):
            start = month(back)
            buy(f"{start}-01", "3250.40", "Bank", "Salary", "Employer", kind="income")
            buy(f"{start}-01", "1100", "Bank", "Rent or mortgage", "Hausverwaltung Maier & Co")
            buy(f"{start}-01", "41.90", "Card", "Groceries", "Corner Bakery", tags="weekly, family")
        now = month(0)
        buy(f"{now}-01", LARGE, LONG_NAME, UNBROKEN[:60], LONG_PAYEE, tags=f"{UNBROKEN[:38]}, holidays")
        buy(f"{now}-01", LARGE, UNBROKEN, "Salary", f"{UNBROKEN} Incorporated", kind="income", currency="USD")
        buy(f"{now}-01", "98765432", "円", "Travel", "東京駅のとても長い名前の店舗と食堂と喫茶店と売店", currency="JPY")
        buy(f"{now}-01", "12.50", HEBREW, "طعام", ARABIC, tags="خبز, weekly", note="قهوة")
        buy(f"{now}-01", "7.25", "Cash", "Coffee and snacks", "Café", note="with Anna, " * 20)
        buy(f"{now}-01", "4000", LONG_NAME, "", "To the savings", kind="transfer", to_account=accounts[UNBROKEN],
            to_amount="4321.09")
        buy(f"{now}-01", "20", "Cash", "", "", kind="transfer", to_account=accounts[HEBREW])
        buy(f"{now}-01", "15", HEBREW, "", "", kind="transfer", to_account=accounts["Cash"])
        buy(f"{month(1)}-28", LARGE, LONG_NAME, "Travel", "World tour")
        pdf = b"%PDF-1.7\n"
        self.attach(self.path_of("/transactions", LONG_PAYEE), (f"{UNBROKEN}.pdf", pdf), (f"{ARABIC}.pdf", pdf + b"2"))
        for payee, amount, account, record in ((UNBROKEN, LARGE, LONG_NAME, "auto"), (ARABIC, "12.50", "Cash", "ask")):
            self.send("/schedules", kind="expense", amount=amount, currency="EUR", account=accounts[account], payee=payee,
                      start=TODAY.isoformat() if record == "ask" else "2090-01-01",
                      unusual_date="2090-01-01", every="1", unit="month", end="",
                      shift="none", record=record, category="", note="", tags="")
