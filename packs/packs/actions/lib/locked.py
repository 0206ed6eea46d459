"""Locks between processes."""

import contextlib
import fcntl
import hashlib
import os
import stat

__all__ = ["locked"]


@contextlib.contextmanager
def locked(text, directory):
    """
    Holds a lock until the block or this process ends.

    :param directory: must not be writable for others, who could otherwise replace the lock by a link or hold it
        forever.
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
