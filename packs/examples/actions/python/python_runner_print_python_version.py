import platform

from st2common.runners.base_action import Action


class PrintVersion(Action):
    def run(self):
        version = platform.python_version()
        print("Python " + version)
        return version
