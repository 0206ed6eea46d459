import json

from st2common.runners.base_action import Action


class JsonStringToObject(Action):
    def run(self, json_str=None):
        return None if json_str is None else json.loads(json_str)
