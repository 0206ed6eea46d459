"""
Counts what the Python actions and sensors of a folder of packs import, so that the shared environment and the modules of
`python/` can be chosen by need.

    python3 test/exchange/import_census.py FOLDER [--modules st2common,st2client]

Prints one line for each module: its name, the number of actions, of sensors and of packs that reach it, and the packs. An import
counts for each action that reaches it through files of its own pack. Needs PyYAML.
"""

import argparse
import ast
import os
import sys
from collections import defaultdict

import yaml

_FOLDERS = ("actions", "sensors")
_REFERENCE = ("st2common", "st2client", "st2reactor", "st2actions", "st2tests", "st2api", "st2auth")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--reference", action="store_true", help="only modules of the reference, by their full names")
    options = parser.parse_args()
    found = defaultdict(lambda: {"actions": set(), "sensors": set()})
    for pack in sorted(os.listdir(options.folder)):
        count_pack(os.path.join(options.folder, pack), pack, found)
    rows = []
    for module, users in found.items():
        if options.reference != module.startswith(_REFERENCE):
            continue
        packs = sorted({name.split(".", 1)[0] for kind in _FOLDERS for name in users[kind]})
        rows.append((len(users["actions"]), len(users["sensors"]), module, packs))
    for actions, sensors, module, packs in sorted(rows, reverse=True):
        print("%-50s %5d actions %3d sensors %3d packs  %s" % (module, actions, sensors, len(packs), " ".join(packs)))


def count_pack(directory, pack, found):
    cache = {}
    own = own_modules(directory)
    for kind in _FOLDERS:
        for name, path in entry_points(directory, kind):
            for module in reached(path, own, cache):
                found[module][kind].add("%s.%s" % (pack, name))


def entry_points(directory, kind):
    """:return: the name and the Python file of each action or sensor"""
    folder = os.path.join(directory, kind)
    if not os.path.isdir(folder):
        return
    for file in sorted(os.listdir(folder)):
        if not file.endswith((".yaml", ".yml")):
            continue
        with open(os.path.join(folder, file), encoding="utf-8") as text:
            try:
                document = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
            except yaml.YAMLError as error:
                print("%s/%s: %s" % (folder, file, str(error).splitlines()[0]), file=sys.stderr)
                continue
        entry = (document or {}).get("entry_point") or ""
        runner = document.get("runner_type") if kind == "actions" else "python-script"
        if entry.endswith(".py") and runner in ("python-script", "run-python"):
            yield file, os.path.join(folder, entry)


def own_modules(directory):
    """:return: files of the pack by the names that its modules may be imported by"""
    own = {}
    for base in ("actions", "actions/lib", "sensors", "lib", "etc", "."):
        root = os.path.join(directory, base)
        for folder, _, files in os.walk(root):
            for file in files:
                if file.endswith(".py"):
                    path = os.path.relpath(os.path.join(folder, file), root)[: -len(".py")]
                    name = path.replace(os.sep, ".")
                    name = name[: -len(".__init__")] if name.endswith(".__init__") else name
                    own.setdefault(name, os.path.join(folder, file))
    return own


def reached(path, own, cache):
    """:return: the modules of others that the file imports, by itself or through files of its pack"""
    modules, seen, waiting = set(), set(), [path]
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        if file not in cache:
            cache[file] = list(imports(file))
        for module, names in cache[file]:
            inside = [own[name] for name in [module, *("%s.%s" % (module, name) for name in names)] if name in own]
            top = module.split(".")[0]
            if inside:
                waiting.extend(inside)
            elif top in own or module == "":
                continue
            elif top.startswith(_REFERENCE):
                modules.add(module)
                modules.update("%s:%s" % (module, name) for name in names)
            elif top not in getattr(sys, "stdlib_module_names", ()):
                modules.add(top)
    return modules


def imports(file):
    """:return: each imported module with the names taken from it"""
    try:
        with open(file, "rb") as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError) as error:
        print("%s: %s" % (file, error), file=sys.stderr)
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, []
        elif isinstance(node, ast.ImportFrom):
            prefix = "" if node.level == 0 else "."
            yield (node.module or "") if not prefix else (node.module or ""), [alias.name for alias in node.names]


if __name__ == "__main__":
    main()
