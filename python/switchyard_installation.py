"""
What an action or a sensor knows about the system that started it. The service tells it once, before any code of the pack is
imported; processes that the pack starts for itself do not know it.
"""

__all__ = ["describe", "base_path", "packs_base_paths", "pack_config"]

_known = {}


def describe(facts):
    """:param facts: `base_path`, `packs_base_paths`, and of the process itself `pack` and `config`"""
    _known.clear()
    _known.update(facts)


def base_path():
    """:return: the directory that the option `system.base_path` names"""
    return _fact("base_path")


def packs_base_paths():
    """:return: the directories in which packs are looked for, the first one first"""
    return list(_fact("packs_base_paths"))


def pack_config(pack):
    """
    :return: the configuration of the pack that this process belongs to, with its secrets
    :raises RuntimeError: for any other pack
    """
    if pack != _fact("pack"):
        raise RuntimeError(
            'The configuration of the pack "%s" is not available to the pack "%s": a process only has the one of its own '
            "pack. See docs/actions-python.md." % (pack, _fact("pack"))
        )
    return _fact("config")


def _fact(name):
    if name not in _known:
        raise RuntimeError("This process was not started by Switchyard, so its %s is not known." % name.replace("_", " "))
    return _known[name]
