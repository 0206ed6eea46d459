from st2common.runners.base_action import Action


class IncreaseIndex(Action):
    def run(self, index, pagesize, input):
        if len(input) < pagesize:
            return False, index
        return True, index + 1
