"""
Runs Python actions for the action runner: one action (`st2common/runners/single_action.py`), or with `--warm` any number of
them, each in a process of its own (`st2common/runners/warm_worker.py`). `--bytecode=FOLDER` is the directory for the bytecode
of the modules that a single action needs.
"""

import sys

_BYTECODE = "--bytecode="


def _run_one(folder):
    # Their bytecode is stored where Python stores it by default.
    import importlib.util  # noqa: F401
    import json  # noqa: F401

    kept = sys.pycache_prefix, sys.dont_write_bytecode
    # The environment decides about the bytecode of all other modules.
    sys.pycache_prefix, sys.dont_write_bytecode = folder, False
    try:
        from st2common.runners.single_action import run_single_action
    finally:
        sys.pycache_prefix, sys.dont_write_bytecode = kept
    run_single_action()


def _run_many():
    from st2common.runners.warm_worker import WarmWorker

    WarmWorker().serve()


if __name__ == "__main__":
    (option,) = sys.argv[1:]
    if option == "--warm":
        _run_many()
    else:
        _run_one(option[len(_BYTECODE) :])
