import random
import time

from st2common.runners.base_action import Action


class PauseAction(Action):
    def run(self, max_pause, random=False):
        longest = max(0, max_pause)
        seconds = _up_to(longest) if random else longest
        time.sleep(seconds)
        return seconds


def _up_to(limit):
    return random.randint(0, limit)
