"""Directories of packs."""

import os
import re

__all__ = ["lock_directory", "pack_directory", "virtualenv_places"]

_REF = re.compile(r"^[a-z0-9_]+$")


def pack_directory(base, ref):
    """:raises ValueError: for an invalid reference, which could lead to any path"""
    if not _REF.match(ref):
        raise ValueError('"%s" is not a valid pack reference.' % ref)
    return os.path.join(base, ref)


def lock_directory(base):
    """:return: the directory of download locks, beside the packs, where only the service can write"""
    return os.path.join(os.path.dirname(base.rstrip("/")), "locks")


def virtualenv_places(base, ref):
    """:return: the paths that make up the virtual environment of a pack"""
    directory = os.path.join(os.path.dirname(base.rstrip("/")), "virtualenvs")
    return [os.path.join(directory, ref), os.path.join(directory, ".made", ref)]
