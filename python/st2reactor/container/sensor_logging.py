"""Sends log records to the container, which writes them to the log of the system."""

import logging

__all__ = ["AUDIT", "install", "ROOT_NAME"]

AUDIT = logging.CRITICAL + 10
ROOT_NAME = "st2.SensorWrapper"


def install(channel, level):
    """Makes every logger of this process send its records to the container."""
    logging.addLevelName(AUDIT, "AUDIT")
    logging.Logger.audit = _audit
    root = logging.getLogger()
    root.handlers[:] = [_ChannelHandler(channel)]
    root.setLevel(level)


def _audit(self, message, *args, **kwargs):
    if self.isEnabledFor(AUDIT):
        self._log(AUDIT, message, args, **kwargs)


class _ChannelHandler(logging.Handler):
    def __init__(self, channel):
        super().__init__()
        self._channel = channel
        self._plain = logging.Formatter("%(message)s")

    def emit(self, record):
        try:
            self._channel.send(
                {
                    "type": "log",
                    "level": record.levelname,
                    "logger": record.name,
                    "message": self._plain.format(record),
                }
            )
        except Exception:
            # Code that logs must not fail because of that.
            pass
