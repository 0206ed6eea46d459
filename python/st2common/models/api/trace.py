"""Names the trace that an event of a sensor belongs to."""

__all__ = ["TraceContext"]


class TraceContext:
    """An existing trace by its id, or a new one by its tag."""

    def __init__(self, id_=None, trace_tag=None):
        self.id_ = id_
        self.trace_tag = trace_tag

    def __str__(self):
        return "{id_: %s, trace_tag: %s}" % (self.id_, self.trace_tag)
