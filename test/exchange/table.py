"""
Makes the table of docs/exchange.md from what `importable.py` wrote.

    python3 test/exchange/table.py FILE > table.md
"""

import json
import sys


def main():
    with open(sys.argv[1]) as file:
        rows = sorted((json.loads(line) for line in file), key=lambda row: row["pack"])
    print("| pack | Python actions | requirements installed | importable | what the others lack |")
    print("| --- | --: | --- | --: | --- |")
    for row in rows:
        installed = {None: "none", True: "yes", False: "no"}[row["installed"]]
        print("| %s | %d | %s | %d | %s |" % (row["pack"], row["actions"], installed, row["importable"], reasons(row)))
    able = [row for row in rows if row["installed"] is not False]
    actions, importable = (sum(row[key] for row in able) for key in ("actions", "importable"))
    print()
    print(
        "%d packs. Where the requirements can be installed (%d packs), %d of %d Python actions are importable (%.1f %%)."
        % (len(rows), len(able), importable, actions, 100.0 * importable / max(actions, 1))
    )


def reasons(row):
    found = sorted(row["failures"].items(), key=lambda item: -item[1])
    # Paths in messages belong to the machine of the run.
    return "; ".join("%s (%d)" % (text.split(" (/")[0].replace("|", "\\|"), count) for text, count in found[:3])


if __name__ == "__main__":
    main()
