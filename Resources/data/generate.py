#!/usr/bin/env python3
"""Writes currencies.tsv and locales.tsv beside itself. Run by hand when ISO or CLDR change:

    python3 -m venv /tmp/tables && /tmp/tables/bin/pip install Babel iso4217
    /tmp/tables/bin/python Resources/data/generate.py
"""
import datetime
import pathlib

from babel import Locale, localedata
from babel.core import UnknownLocaleError, get_global
from babel.numbers import get_currency_name, get_currency_symbol, get_territory_currencies
from iso4217 import Currency

HERE = pathlib.Path(__file__).parent
# Bonds, units of account, metals, tests, and funds that no household holds.
LEFT_OUT = set("BOV CHE CHW COU MXV USN UYI UYW XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX".split())
# Bulgaria joined the euro on 2026-01-01; CLDR releases before it do not say so.
CURRENCY_OF = {"BG": "EUR"}
TODAY = datetime.date(2026, 1, 2)


def currencies():
    for one in sorted(Currency, key=lambda c: c.code):
        if one.code in LEFT_OUT or one.code == "BGN" or one.exponent is None:
            continue
        name = get_currency_name(one.code, locale="en")
        symbol = get_currency_symbol(one.code, locale="en")
        yield "\t".join([one.code, str(one.exponent), symbol, name if name != one.code else one.currency_name])


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
                         signs["group"], str(secondary), digits(locale), place, english_name(locale)])


for name, rows in (("currencies.tsv", currencies()), ("locales.tsv", sorted(set(locales())))):
    (HERE / name).write_text("".join(row + "\n" for row in rows), encoding="utf-8")
