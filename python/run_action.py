"""
Runs Python actions for the action runner: one action (`st2common/runners/single_action.py`), or with `--warm` one after the
other, each in a process of its own (`st2common/runners/warm_worker.py`).
"""

import sys

if __name__ == "__main__":
    if sys.argv[1:2] == ["--warm"]:
        from st2common.runners.warm_worker import WarmWorker

        WarmWorker().serve()
    else:
        from st2common.runners.single_action import run_single_action

        run_single_action()
