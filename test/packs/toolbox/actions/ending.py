import sys

from st2common.runners.base_action import Action


class Ending(Action):
    def run(self, way, value=None):
        print("printed before the end")
        self.logger.info("ends by %s", way)
        return getattr(self, "_" + way)(value)

    def _value(self, value):
        return value

    def _success(self, value):
        return True, value

    def _failure(self, value):
        return False, value

    def _strange(self, value):
        return "neither", value

    def _object(self, value):
        return {"what": object()}

    def _raise(self, value):
        raise RuntimeError("no way on: %s" % value)

    def _exit(self, value):
        sys.exit(3)
