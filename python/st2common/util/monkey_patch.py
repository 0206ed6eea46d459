"""Turns the threads of a process into green threads."""

__all__ = ["monkey_patch"]


def monkey_patch(patch_thread=None):
    """
    Needs eventlet, which the shared environment has.

    :param patch_thread: whether to replace threads and locks too; None means yes
    """
    import eventlet

    eventlet.monkey_patch(os=True, select=True, socket=True, thread=patch_thread is not False, time=True)
