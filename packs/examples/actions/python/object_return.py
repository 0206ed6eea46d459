from st2common.runners.base_action import Action


class ObjectReturn(Action):
    def run(self):
        return {"name": "Ada", "languages": ["notes"], "born": {"year": 1815, "place": "London"}}
