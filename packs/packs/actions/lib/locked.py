"""One at a time."""

import contextlib
import fcntl
import hashlib
import os
import stat

__all__ = ["locked"]


@contextlib.contextmanager
def locked(text, directory):
    """
    Holds a lock until the block, or this process, ends.

    :param directory: where nobody else may write. A directory that everybody can write to would let others put a link
        in the place of the lock, or hold it for ever.
    """
    os.makedirs(directory, mode=0o700, exist_ok=True)
    name = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    lock = os.open(os.path.join(directory, name), flags, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(lock).st_mode):
            raise OSError('The lock "%s" is not a regular file.' % os.path.join(directory, name))
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
