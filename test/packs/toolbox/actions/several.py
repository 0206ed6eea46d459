from st2common.runners.base_action import Action


class Abacus(object):
    """Comes first by name, but is not an action."""

    def add(self, *numbers):
        return sum(numbers)


class BaseTool(Action):
    def prepared(self, numbers):
        return [int(number) for number in numbers]


class SumTool(BaseTool):
    def run(self, numbers):
        return Abacus().add(*self.prepared(numbers))
