"""
Runs Python actions for the action runner: one action (`st2common/runners/single_action.py`), or with `--warm` one after the
other, each in a process of its own (`st2common/runners/warm_worker.py`). `--bytecode=FOLDER` says where the compiled form of
the modules that one action needs is kept.
"""

import sys

_BYTECODE = "--bytecode="


def _run_one(folder):
    # These come from where Python itself keeps them.
    import importlib.util  # noqa: F401
    import json  # noqa: F401

    kept = sys.pycache_prefix, sys.dont_write_bytecode
    # What becomes of the compiled form of everything else is for the environment to say.
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
