import json
import os

from st2common.runners.base_action import Action

FIXTURES = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "fixtures"))


class LoadFixture(Action):
    def run(self, file_path):
        path = os.path.realpath(os.path.join(FIXTURES, file_path))
        if os.path.commonpath([FIXTURES, path]) != FIXTURES:
            raise ValueError("%s is not below %s." % (file_path, FIXTURES))
        with open(path, encoding="utf-8") as file:
            text = file.read()
        print(text)
        return json.loads(text)
