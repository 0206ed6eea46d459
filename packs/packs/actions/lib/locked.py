"""One at a time."""

import contextlib
import fcntl
import hashlib
import os
import tempfile

__all__ = ["locked"]


@contextlib.contextmanager
def locked(text):
    """Holds a lock on this machine until the block, or this process, ends."""
    name = "switchyard_packs_%d_%s" % (os.getuid(), hashlib.sha256(text.encode("utf-8")).hexdigest()[:16])
    with open(os.path.join(tempfile.gettempdir(), name), "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
