from st2common.runners.base_action import Action


class IncreaseIndex(Action):
    def run(self, index, pagesize, input):
        if len(input) < int(pagesize):
            return False, int(index)
        return True, int(index) + 1
