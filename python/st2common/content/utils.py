"""Paths of packs and their files."""

import os

from switchyard_installation import packs_base_paths

__all__ = [
    "get_system_packs_base_path",
    "get_packs_base_paths",
    "get_pack_base_path",
    "get_pack_directory",
    "get_entry_point_abs_path",
    "get_pack_file_abs_path",
    "get_pack_resource_file_abs_path",
    "get_relative_path_to_pack_file",
    "get_action_libs_abs_path",
    "check_pack_directory_exists",
    "check_pack_content_directory_exists",
]

_RESOURCE_FOLDERS = {"action": "actions", "sensor": "sensors", "rule": "rules"}


def get_system_packs_base_path():
    """:return: the directory in which packs are installed"""
    return packs_base_paths()[0]


def get_packs_base_paths():
    """:return: the directories that are searched for packs, in this order"""
    return packs_base_paths()


def check_pack_directory_exists(pack):
    return any(os.path.exists(os.path.join(base, pack)) for base in packs_base_paths())


def check_pack_content_directory_exists(pack, content_type):
    """:param content_type: such as `actions`"""
    return any(os.path.exists(os.path.join(base, pack, content_type)) for base in packs_base_paths())


def get_pack_directory(pack_name):
    """:return: the directory of the pack, or None"""
    for base in packs_base_paths():
        path = os.path.abspath(os.path.join(base, pack_name))
        if os.path.isdir(path):
            return path
    return None


def get_pack_base_path(pack_name, include_trailing_slash=False, use_pack_cache=False):
    """:return: the directory of the pack, or where it would be installed"""
    if not pack_name:
        return None
    path = get_pack_directory(pack_name) or os.path.abspath(os.path.join(get_system_packs_base_path(), pack_name))
    return os.path.join(path, "") if include_trailing_slash else path


def get_entry_point_abs_path(pack=None, entry_point=None, use_pack_cache=False):
    """:raises ValueError: for a file outside of the pack"""
    if not entry_point:
        return None
    if not os.path.isabs(entry_point):
        return get_pack_resource_file_abs_path(pack_ref=pack, resource_type="action", file_path=entry_point)
    if not _is_in(get_pack_base_path(pack), entry_point):
        raise ValueError('Entry point file "%s" is located outside of the pack directory' % entry_point)
    return entry_point


def get_pack_file_abs_path(pack_ref, file_path, resource_type=None, use_pack_cache=False):
    """
    :param file_path: relative to the pack
    :raises ValueError: for a path that is not normalized, or leads out of the pack
    """
    base = get_pack_base_path(pack_ref)
    path = os.path.normpath(os.path.join(base, file_path))
    if os.path.normpath("/" + file_path).lstrip("/") != file_path or not _is_in(base, path):
        raise ValueError(
            'Invalid file path: "%s". File path needs to be relative to the pack %sdirectory (%s). For example "my_%s.py".'
            % (file_path, resource_type + "s " if resource_type else "", base, resource_type or "action")
        )
    return path


def get_pack_resource_file_abs_path(pack_ref, resource_type, file_path):
    """:param resource_type: `action`, `sensor` or `rule`"""
    folder = _RESOURCE_FOLDERS.get(resource_type)
    if folder is None:
        raise ValueError("Invalid resource type: %s" % resource_type)
    return get_pack_file_abs_path(pack_ref, "%s/%s" % (folder, file_path), resource_type)


def get_relative_path_to_pack_file(pack_ref, file_path, use_pack_cache=False):
    """:raises ValueError: for a file outside of the pack"""
    base = get_pack_base_path(pack_ref)
    if not os.path.isabs(file_path):
        return file_path
    path = os.path.abspath(file_path)
    if not _is_in(base, path):
        raise ValueError("file_path (%s) is not located inside the pack directory (%s)" % (path, base))
    return os.path.relpath(path, base)


def get_action_libs_abs_path(pack=None, entry_point=None):
    """:return: the directory `lib` next to the entry point of an action"""
    path = get_entry_point_abs_path(pack=pack, entry_point=entry_point)
    return path and os.path.join(os.path.dirname(path), "lib")


def _is_in(base, path):
    return os.path.abspath(path).startswith(os.path.join(base, ""))
