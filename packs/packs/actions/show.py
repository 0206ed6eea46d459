from pack_api import find_in_index
from st2common.runners.base_action import Action


class ShowAction(Action):
    def run(self, pack):
        return {"pack": find_in_index(pack)}
