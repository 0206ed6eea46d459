import os
import sys

from st2common.runners.base_action import Action


class PrintEnvironment(Action):
    def run(self):
        shown = {
            "executable": sys.executable,
            "prefix": sys.prefix,
            "path": sys.path,
            "PYTHONPATH": os.environ.get("PYTHONPATH"),
        }
        for name, value in shown.items():
            print("%s: %s" % (name, value))
        return shown
