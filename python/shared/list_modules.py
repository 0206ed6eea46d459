"""
Prints the names of the top-level modules of the environment of this interpreter, for modules.txt:

    shared-python/3.13/bin/python list_modules.py shared-python/3.8/bin/python …

It collects the names from all given interpreters.
"""

import subprocess
import sys

NAMES = """
import importlib.metadata
for found in importlib.metadata.distributions():
    if found.metadata["Name"] not in ("pip", "wheel"):
        for file in found.files or []:
            name = file.parts[0].partition(".")[0]
            if file.suffix in (".py", ".so") and len(file.parts) < 3 and "-" not in name and name != "..":
                print(name)
"""
# Not meant for packs: tests that st2client installs, and parts of other modules.
LEFT_OUT = {"tests", "bin", "share", "__pycache__", "_distutils_hack", "distutils-precedence"}

if __name__ == "__main__":
    names = set()
    for python in [sys.executable, *sys.argv[1:]]:
        names.update(subprocess.run([python, "-c", NAMES], check=True, stdout=subprocess.PIPE, text=True).stdout.split())
    print("# Made by list_modules.py; see there.")
    print("\n".join(sorted(names - LEFT_OUT)))
