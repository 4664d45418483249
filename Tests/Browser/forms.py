"""What a page offers: its forms with their fields, its links, and how it says that things stand."""
import html.parser
import re

WORDS = ["Corner Bakery", "Tram", "Rent", "Œuvre “d’été”", "наличные", "😀 kiosk", "<b>bold</b>", "=1+1", "a,b\"c\"",
         "O'Neill & sons", "-", " spaced  out ", "0", "x" * 79, "naïve café", "שלום", "line\nbreak"]
AMOUNTS = ["12.50", "3", "0.01", "7.5+2.25", "1,234.50", "99.99", "1000000", "€4", "", "-1", "abc", "0", "1e9", "3*",
           "99999999999999999999", "12,50"]
DATES = ["2026-01-31", "2026-02-28", "2026-06-15", "2026-11-20", "2024-02-29", "1999-12-31", "2026-02-30", "", "soon"]
MONTHS = ["2026-01", "2026-06", "2026-11", "2025-12", "2026-13", ""]


class Form:
    """A form: where it goes, and its fields in order."""

    def __init__(self, method, action):
        self.method = method.upper()
        self.action = action
        self.fields = []

    def filled(self, chance, phrase):
        """What a person sends: most fields well, some not, as pairs of name and value."""
        pairs, groups, buttons = [], {}, []
        for kind, name, value, options in self.fields:
            if kind in ("radio", "checkbox"):
                groups.setdefault((kind, name), []).append((value, bool(options)))
            elif kind == "submit":
                buttons.append((name, value))
            else:
                pairs.append((name, written(kind, name, value, options, chance, phrase)))
        for (kind, name), choices in groups.items():
            shown = [value for value, is_on in choices if is_on]
            if kind == "radio":
                picked = shown if shown and chance.random() < 0.5 else [chance.choice(choices)[0]]
                pairs += [(name, picked[0])]
            else:
                # Few of a long list, as a person ticks them.
                picked = shown if chance.random() < 0.7 else [chance.choice(choices)[0] for _ in range(2)]
                pairs += [(name, value) for value in dict.fromkeys(picked)]
        if buttons:
            pairs.append(chance.choice(buttons))
        return pairs


def written(kind, name, value, options, chance, phrase):
    """What goes into one field."""
    if kind == "hidden":
        return value
    if kind == "select":
        values = [one for one, _ in options]
        chosen = next((one for one, is_on in options if is_on), values[0] if values else "")
        # Another currency asks for a second amount, another locale for other commas: mostly they stay.
        stays = 0.9 if name in ("currency", "locale", "base_currency") else 0.3
        return chosen if not values or chance.random() < stays else chance.choice(values)
    if name == "confirm":
        return phrase if phrase and chance.random() < 0.7 else "yes"
    if name in ("amount", "limit", "opening", "to_amount"):
        if chance.random() < 0.85:
            return f"{chance.randrange(1, 100_000) / 100:.2f}"
        return chance.choice(AMOUNTS)
    if name in ("date", "start", "end"):
        if value and chance.random() < 0.6:
            return value
        return chance.choice(DATES)
    if name in ("from", "to", "month"):
        return value if value and chance.random() < 0.6 else chance.choice(MONTHS)
    if name == "time_zone":
        return chance.choice([value, value, "UTC", "Pacific/Kiritimati", "America/St_Johns", "Mars/Olympus"])
    if name == "tags":
        return ", ".join(chance.sample(WORDS, chance.randrange(3)))
    if value and chance.random() < 0.5:
        return value
    return chance.choice(WORDS) + (f" {chance.randrange(100)}" if chance.random() < 0.5 else "")


class Page(html.parser.HTMLParser):
    """A page as it was answered."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.forms, self.links = [], []
        self.form = self.select = self.area = None
        body = re.search(r"<body[^>]*>", text)
        self.marks = dict(re.findall(r'data-([a-z]+)="([^"]*)"', body.group(0))) if body else {}
        # The typed confirmation, where the page asks for one.
        phrase = re.search(r"data-phrase>([^<]*)<", text)
        self.phrase = phrase.group(1) if phrase else None
        if body:
            self.feed(text)

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        if tag == "a" and has.get("href", "").startswith("/"):
            self.links.append(has["href"])
        elif tag == "form":
            self.form = Form(has.get("method", "get"), has.get("action", ""))
            self.forms.append(self.form)
        elif self.form is None:
            return
        elif tag == "input" and "name" in has:
            kind = has.get("type", "text")
            self.form.fields.append((kind, has["name"], has.get("value", "" if kind != "checkbox" else "on"),
                                     "checked" in has))
        elif tag == "select":
            self.select = []
            self.form.fields.append(("select", has.get("name"), "", self.select))
        elif tag == "option" and self.select is not None:
            self.select.append((has.get("value", ""), "selected" in has))
        elif tag == "textarea":
            self.area = has.get("name")
            self.form.fields.append(("textarea", self.area, "", None))
        elif tag == "button" and has.get("name"):
            self.form.fields.append(("submit", has["name"], has.get("value", ""), None))

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = None
