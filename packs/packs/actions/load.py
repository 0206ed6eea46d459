from pack_api import register as register_content
from st2common.runners.base_action import Action

EVERYTHING = "all"


class LoadAction(Action):
    def run(self, register=EVERYTHING, packs=None):
        types = [word.strip() for word in register.split(",") if word.strip()]
        what = {} if EVERYTHING in types else {"types": types}
        if packs:
            what["packs"] = packs
        return register_content(**what)
