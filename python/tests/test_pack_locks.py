"""The lock for downloads of packs."""

import os
import stat
import sys
import tempfile
import unittest

_LIBRARY = os.path.join(os.path.dirname(__file__), "../../packs/packs/actions/lib")


class LockTest(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, os.path.abspath(_LIBRARY))
        self.addCleanup(sys.path.remove, os.path.abspath(_LIBRARY))
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self._base = scratch.name
        self._locks = os.path.join(scratch.name, "locks")

    def test_only_the_owner_may_use_the_directory(self):
        from locked import locked

        with locked("text", self._locks):
            self.assertEqual(stat.S_IMODE(os.stat(self._locks).st_mode), 0o700)

    def test_does_not_follow_a_link_in_place_of_the_lock(self):
        from locked import locked

        with locked("text", self._locks):
            (name,) = os.listdir(self._locks)
        victim = os.path.join(self._base, "victim")
        with open(victim, "w") as file:
            file.write("kept")
        os.unlink(os.path.join(self._locks, name))
        os.symlink(victim, os.path.join(self._locks, name))
        with self.assertRaises(OSError):
            with locked("text", self._locks):
                self.fail("a link was accepted as the lock")
        with open(victim) as file:
            self.assertEqual(file.read(), "kept")


if __name__ == "__main__":
    unittest.main()
