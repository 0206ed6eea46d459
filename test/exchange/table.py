"""
Writes the table of docs/exchange.md, between the two comments of that page.

    python3 test/exchange/table.py --importable FILE --registered FILE --tests FILE && npx oxfmt docs/exchange.md

The files are those that `importable.py`, `registered.py` and `own_tests.py` wrote. `expected.json` has the numbers of the reference;
`reasons.json` says in words why numbers differ or packages are missing. A difference without a reason ends the program with 1.
"""

import argparse
import json
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_PAGE = os.path.join(_HERE, "../../docs/exchange.md")
_BEGIN, _END = "<!-- table -->", "<!-- end of the table -->"
_KINDS = ("actions", "sensors", "rules", "aliases")
_HEAD = (
    "| pack | registered | reference | requirements | importable actions | own tests | reference | why |",
    "| --- | --- | --- | --- | --: | --: | --: | --- |",
)


def main():
    parser = argparse.ArgumentParser()
    for name in ("importable", "registered", "tests"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    importable, registered, tests = (
        {row["pack"]: row for row in read_lines(path)} for path in (options.importable, options.registered, options.tests)
    )
    expected, reasons = (read(name) for name in ("expected.json", "reasons.json"))
    rows = [
        Row(pack, importable[pack], registered[pack], tests.get(pack), expected, reasons)
        for pack in sorted(importable.keys() & registered.keys())
    ]
    write([*totals(rows), "", *_HEAD, *(row.text() for row in rows)])
    unexplained = [row.pack for row in rows if row.differs() and not row.reason]
    if unexplained:
        sys.exit("Without a reason: " + ", ".join(unexplained))


def write(lines):
    with open(_PAGE, encoding="utf-8") as file:
        before, rest = file.read().split(_BEGIN)
    after = rest.split(_END)[1]
    with open(_PAGE, "w", encoding="utf-8") as file:
        file.write("\n".join([before + _BEGIN, "", *lines, "", _END + after]))


class Row:
    """What is known about one pack."""

    def __init__(self, pack, importable, registered, tests, expected, reasons):
        self.pack = pack
        self.importable = importable
        self.registered = [registered.get(kind) for kind in _KINDS]
        self.tests = tests
        self.expected = expected["registered"].get(pack)
        # What passed, and of how many.
        self.expected_tests = expected["tests"].get(pack)
        self.hindrance = reasons["not installed"].get(pack)
        self.reason = reasons["differs"].get(pack)

    def installs(self):
        return self.importable["installed"] is not False

    def counted(self):
        """:return: how many tests passed, and of how many; None if they were not run"""
        if self.tests is None or "passed" not in self.tests:
            return None
        return [self.tests["passed"], self.tests["passed"] + self.tests["failed"]]

    def differs(self):
        missing = self.importable["importable"] < self.importable["actions"] and self.installs()
        tests = self.counted()
        failing = tests is not None and tests != (self.expected_tests or [tests[1], tests[1]])
        return missing or failing or (self.expected is not None and self.registered != self.expected)

    def text(self):
        if self.installs():
            installed = "installed" if self.importable["installed"] else "none"
        else:
            installed = "no: " + (self.hindrance or "?")
        cells = [
            self.pack,
            slashes(self.registered),
            slashes(self.expected),
            installed,
            "%d of %d" % (self.importable["importable"], self.importable["actions"]),
            of(self.counted()),
            of(self.expected_tests),
            self.reason or "",
        ]
        return "| %s |" % " | ".join(cell.replace("|", "\\|") for cell in cells)


def totals(rows):
    able = [row for row in rows if row.installs()]
    actions, importable = (sum(row.importable[key] for row in able) for key in ("actions", "importable"))
    same = sum(row.registered == row.expected for row in rows)
    known = sum(row.expected is not None for row in rows)
    yield "- %d packs. StackStorm's numbers are known for %d of them; %d register the same." % (len(rows), known, same)
    yield "- The requirements of %d packs can be installed. There, %d of %d Python actions can be imported (%.2f %%)." % (
        len(able),
        importable,
        actions,
        100.0 * importable / max(actions, 1),
    )
    run = [row.counted() for row in rows if row.counted() is not None]
    yield "- The tests of %d packs were run: %d of %d pass." % (len(run), sum(one[0] for one in run), sum(one[1] for one in run))


def slashes(numbers):
    return "" if numbers is None or None in numbers else " / ".join(map(str, numbers))


def of(numbers):
    return "" if numbers is None else str(numbers[0]) if numbers[0] == numbers[1] else "%d of %d" % tuple(numbers)


def read(name):
    with open(os.path.join(_HERE, name), encoding="utf-8") as file:
        return json.load(file)


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


if __name__ == "__main__":
    main()
