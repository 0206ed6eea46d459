import sys
import time

from st2common.runners.base_action import Action


class PrintLines(Action):
    def run(self, count, sleep_delay):
        for line in range(1, count + 1):
            # Flushed at once, for clients that follow the output.
            print("stdout line %d" % line, flush=True)
            print("stderr line %d" % line, file=sys.stderr, flush=True)
            time.sleep(sleep_delay)
