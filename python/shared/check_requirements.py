"""
Checks that requirements.txt is complete and can be installed with the Python that runs this script:

    python3 check_requirements.py [requirements.txt]

pip resolves the list and installs nothing. The exit code is 1 if there are problems, which are printed one per line, and 3 if the
list cannot be checked, because the package index cannot be reached or this Python has no pip.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

_HERE = os.path.dirname(os.path.abspath(__file__))
_RESOLVE = ("--dry-run", "--no-deps", "--ignore-installed", "--quiet", "--no-input", "--disable-pip-version-check")
_UNREACHABLE = re.compile("NewConnectionError|NameResolutionError|ConnectTimeoutError|Max retries exceeded|ProxyError|SSLError")


def main():
    try:
        # pip's own parser, because an interpreter without packages has no other one.
        from pip._vendor.packaging.requirements import Requirement
        from pip._vendor.packaging.utils import canonicalize_name
    except ImportError:
        cannot_tell("this Python has no pip")
    requirements = sys.argv[1] if len(sys.argv) > 1 else os.path.join(_HERE, "requirements.txt")
    found = {canonicalize_name(one["name"]): one for one in resolve(requirements)}
    overridden = {canonicalize_name(name) for name in overrides()}
    problems = [
        problem
        for one in found.values()
        for text in one.get("requires_dist", [])
        for problem in check(one, Requirement(text), found, overridden, canonicalize_name)
    ]
    print("\n".join(problems) or "%d packages can be installed." % len(found))
    sys.exit(1 if problems else 0)


def resolve(requirements):
    """:return: the metadata of each package that pip would install"""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [sys.executable, "-m", "pip", "install", *_RESOLVE, "--report", report, "-r", requirements]
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        if ended.returncode == 0:
            with open(report, encoding="utf-8") as file:
                return [one["metadata"] for one in json.load(file)["install"]]
    if _UNREACHABLE.search(ended.stdout):
        cannot_tell("the package index cannot be reached")
    print(ended.stdout.strip())
    sys.exit(1)


def check(package, requirement, found, overridden, canonicalize_name):
    if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
        return
    name = canonicalize_name(requirement.name)
    if name not in found:
        yield "%s requires %s, which is not in the list" % (package["name"], requirement.name)
    elif name not in overridden and not requirement.specifier.contains(found[name]["version"], prereleases=True):
        yield "%s requires %s%s, and the list has %s" % (
            package["name"],
            requirement.name,
            requirement.specifier,
            found[name]["version"],
        )


def overrides():
    """:return: names of packages whose versions may differ from those that st2client pins"""
    with open(os.path.join(_HERE, "overrides.txt"), encoding="utf-8") as file:
        return re.findall(r"^[\w.-]+", file.read(), re.MULTILINE)


def cannot_tell(reason):
    print(reason)
    sys.exit(3)


if __name__ == "__main__":
    main()
