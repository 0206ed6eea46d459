"""
Installs the requirements of packs and counts which of their Python actions can be imported, as an action runner imports them.

    python3 test/exchange/importable.py FOLDER --shared DIRECTORY [--uv PROGRAM] [--work DIRECTORY] [--packs a,b] [--out FILE]

`DIRECTORY` is a `shared-python` of a system. Each pack gets an environment below `--work`, which is used again. One line of JSON
for each pack goes to `--out` (default: standard output); packs that are in the file already are skipped, so a run that was
interrupted goes on. `table.py` makes the table of docs/exchange.md of it. Needs PyYAML.
"""

import argparse
import json
import os
import subprocess
import sys

from import_census import entry_points

MODULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python")
INSTALL_S, IMPORT_S = 600, 120

# Loads each entry point in a process of its own, forked from one that has loaded nothing of a pack.
LOADER = """
import json, os, sys
import socket  # as in the action runner; actions may be named as modules that it loads
modules, pack, shared, *files = json.loads(sys.stdin.read())
sys.path.insert(0, modules)
from st2common.runners import load_action
from switchyard_installation import describe
from switchyard_modules import use_shared_environment

def load(file):
    sys.path[1:1] = [os.path.join(pack, "lib"), os.path.join(pack, "actions", "lib")]
    packs = os.path.dirname(pack)
    describe({"base_path": packs, "packs_base_paths": [packs], "pack": os.path.basename(pack), "config": {}})
    use_shared_environment({"directory": shared, "requirements": None, "wait_seconds": 0})
    load_action._find_class(load_action._load_module(file), file)

for file in files:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        quiet = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(quiet, fd)
        import signal
        signal.alarm(%d)
        reason = ""
        try:
            load(file)
        except BaseException as error:
            reason = "%%s: %%s" %% (type(error).__name__, error)
        os.write(writer, (reason.splitlines() or [""])[0][:300].encode("utf-8", "replace"))
        os._exit(1 if reason else 0)
    os.close(writer)
    text = b""
    while True:
        chunk = os.read(reader, 4096)
        if not chunk:
            break
        text += chunk
    os.close(reader)
    _, status = os.waitpid(child, 0)
    print(json.dumps([file, None if status == 0 else text.decode() or "ended with status %%d" %% status]), flush=True)
""" % IMPORT_S


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--shared", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--uv")
    parser.add_argument("--work", default="exchange-environments")
    parser.add_argument("--packs")
    parser.add_argument("--out")
    options = parser.parse_args()
    names = options.packs.split(",") if options.packs else sorted(os.listdir(options.folder))
    done = known_packs(options.out)
    for name in names:
        if name in done or not os.path.exists(os.path.join(options.folder, name, "pack.yaml")):
            continue
        row = examine(name, options)
        line = json.dumps(row) + "\n"
        if options.out:
            with open(options.out, "a") as file:
                file.write(line)
        else:
            sys.stdout.write(line)
            sys.stdout.flush()


def known_packs(path):
    if not path or not os.path.exists(path):
        return set()
    with open(path) as file:
        return {json.loads(line)["pack"] for line in file}


def examine(name, options):
    """:return: `pack`, `actions`, `importable`, `installed` (None: nothing to install), `install_error`, `failures` by reason"""
    pack = os.path.abspath(os.path.join(options.folder, name))
    actions = [path for _, path in entry_points(pack, "actions")]
    row = {"pack": name, "actions": len(actions), "importable": 0, "installed": None, "failures": {}}
    requirements = os.path.join(pack, "requirements.txt")
    python = options.python
    if os.path.exists(requirements):
        python, row["install_error"] = install(os.path.join(options.work, name), requirements, options)
        row["installed"] = row["install_error"] is None
    outcomes = load_all(python, pack, sorted(set(actions)), os.path.abspath(options.shared)) if actions else {}
    for path in actions:
        reason = outcomes.get(path, "the interpreter ended")
        if reason is None:
            row["importable"] += 1
        else:
            row["failures"][reason] = row["failures"].get(reason, 0) + 1
    return row


def install(environment, requirements, options):
    """:return: the interpreter and None, or the interpreter of an environment that lacks them and why"""
    python = os.path.abspath(os.path.join(environment, "bin/python"))
    if options.uv:
        create = [options.uv, "venv", "-q", "--seed", "--system-site-packages", "-p", options.python, environment]
        add = [options.uv, "pip", "install", "-q", "--python", python, "six", "-r", requirements]
    else:
        create = [options.python, "-m", "venv", "--system-site-packages", environment]
        add = [python, "-m", "pip", "install", "-q", "six", "-r", requirements]
    if not os.path.exists(python):
        subprocess.run(create, check=True)
    try:
        # Requirements may name files of the pack.
        run = subprocess.run(
            add, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=INSTALL_S, cwd=os.path.dirname(requirements)
        )
    except subprocess.TimeoutExpired:
        return python, "did not end within %d s" % INSTALL_S
    return python, None if run.returncode == 0 else run.stdout.decode("utf-8", "replace")[-1500:]


def load_all(python, pack, files, shared):
    """:return: None or a reason, by file"""
    document = json.dumps([os.path.abspath(MODULES), pack, shared, *files])
    run = subprocess.run([python, "-B", "-c", LOADER], input=document.encode(), stdout=subprocess.PIPE)
    return dict(json.loads(line) for line in run.stdout.decode().splitlines())


if __name__ == "__main__":
    main()
