"""The part that all tests of packs have in common."""

import inspect
import os
import unittest

__all__ = ["BasePackResourceTestCase"]


class BasePackResourceTestCase(unittest.TestCase):
    """A test in the directory `tests` of a pack."""

    def get_fixture_content(self, fixture_path):
        """:return: the text of a file in `tests/fixtures`, by its relative path"""
        with open(os.path.join(self._get_base_pack_path(), "tests", "fixtures", fixture_path), "r") as file:
            return file.read()

    def _get_base_pack_path(self):
        """:return: the directory of the pack"""
        return os.path.dirname(os.path.dirname(os.path.abspath(inspect.getfile(type(self)))))
