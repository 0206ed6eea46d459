"""
Facts about the system that an action or a sensor may ask for. The service passes them once, before any code of the pack is
imported. Processes that the pack starts itself do not have them.
"""

__all__ = ["describe", "base_path", "packs_base_paths", "pack_config"]

_known = {}


def describe(facts):
    """:param facts: `base_path`, `packs_base_paths`, and `pack` and `config` of this process"""
    _known.clear()
    _known.update(facts)


def base_path():
    """:return: the directory that the option `system.base_path` names"""
    return _fact("base_path")


def packs_base_paths():
    """:return: the directories that are searched for packs, in this order"""
    return list(_fact("packs_base_paths"))


def pack_config(pack):
    """
    :return: the configuration of the pack that this process belongs to, with its secrets
    :raises RuntimeError: for any other pack
    """
    if pack != _fact("pack"):
        raise RuntimeError(
            'The configuration of the pack "%s" is not available to the pack "%s": a process only has that of its own '
            "pack. See docs/actions-python.md." % (pack, _fact("pack"))
        )
    return _fact("config")


def _fact(name):
    if name not in _known:
        raise RuntimeError("This process was not started by Switchyard, so its %s is not known." % name.replace("_", " "))
    return _known[name]
