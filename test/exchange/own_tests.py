"""
Runs the tests that packs bring with them, as `svc pack test` runs them, and counts their outcomes.

    python3 test/exchange/own_tests.py FOLDER --work DIRECTORY --out FILE [--uv PROGRAM] [--packs a,b] [--data-dir DIRECTORY]

`DIRECTORY` has the environments that `importable.py` made; those with `--uv` are added to: pytest, mock and the
`requirements-tests.txt` of the pack. `--data-dir` is that of a system, for its shared environment. Each test runs with a copy of
the pack below the folder `copies` of `--work`. One line of JSON for each pack goes to `--out`: `pack`, `passed`, `failed` (with errors),
`skipped`, and `failures` by reason.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

from importable import known_packs

SVC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../svc")
INSTALL_S, TESTS_S = 400, 600


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--uv", default="uv")
    parser.add_argument("--data-dir", default=os.path.expanduser("~/.switchyard"))
    parser.add_argument("--packs")
    options = parser.parse_args()
    done = known_packs(options.out)
    for name in options.packs.split(",") if options.packs else sorted(os.listdir(options.folder)):
        pack = os.path.join(os.path.abspath(options.folder), name)
        if name in done or not has_tests(pack):
            continue
        row = {"pack": name, **examine(name, pack, options)}
        with open(options.out, "a") as file:
            file.write(json.dumps(row) + "\n")


def has_tests(pack):
    names = [name for _, _, files in os.walk(os.path.join(pack, "tests")) for name in files]
    return any(re.fullmatch(r"test_.*\.py|.*_test\.py", name) for name in names)


def examine(name, pack, options):
    work = os.path.abspath(options.work)
    python = os.path.join(work, name, "bin/python")
    if not os.path.exists(python):
        return {"hindrance": "no environment"}
    hindrance = install(pack, python, options)
    copy = os.path.join(work, "copies", name)
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(pack, copy, symlinks=True)
    return {**run_tests(copy, python, options), **({"hindrance": hindrance} if hindrance else {})}


def install(pack, python, options):
    """:return: why the requirements of the tests are not installed, or None"""
    requirements = os.path.join(pack, "requirements-tests.txt")
    listed = ["-r", requirements] if os.path.exists(requirements) else []
    for packages in (["pytest", "mock"], listed):
        if not packages:
            continue
        run = subprocess.run(
            [options.uv, "pip", "install", "-q", "--python", python, *packages],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=INSTALL_S,
            cwd=pack,
        )
        if run.returncode != 0:
            return run.stdout.decode("utf-8", "replace")[-1500:]
    return None


def run_tests(pack, python, options):
    environment = {**os.environ, "SVC_ACTIONRUNNER__PYTHON_BINARY": python, "PYTEST_ADDOPTS": "-rfE --color=no"}
    try:
        run = subprocess.run(
            [SVC, "pack", "test", "-x", "-p", pack, "--data-dir", os.path.abspath(options.data_dir)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TESTS_S,
        )
    except subprocess.TimeoutExpired:
        return {"passed": 0, "failed": 0, "skipped": 0, "failures": {"did not end within %d s" % TESTS_S: 1}}
    text = run.stdout.decode("utf-8", "replace")
    row = {"passed": 0, "failed": 0, "skipped": 0, "failures": {}}
    summary = re.findall(r"^=+ (.*) in [\d.]+s", text, re.M)
    for number, outcome in re.findall(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)", summary[-1] if summary else ""):
        row[{"error": "failed", "errors": "failed", "xfailed": "passed", "xpassed": "passed"}.get(outcome, outcome)] += int(number)
    for reason in re.findall(r"^(?:FAILED|ERROR) \S+(?: - (.*))?$", text, re.M):
        row["failures"][reason[:200]] = row["failures"].get(reason[:200], 0) + 1
    if not summary or row["failures"]:
        sys.stderr.write("----- %s\n%s\n" % (pack, text[-6000:]))
    return row


if __name__ == "__main__":
    main()
