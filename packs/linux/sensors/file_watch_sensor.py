import os
import threading

from st2reactor.sensor.base import Sensor

LOOK_EVERY_S = 0.5
_CHUNK_BYTES = 1024 * 1024
# Longer lines are dispatched in pieces.
_LONGEST_LINE_BYTES = 1024 * 1024


class FileWatchSensor(Sensor):
    def __init__(self, sensor_service, config=None):
        super().__init__(sensor_service=sensor_service, config=config)
        self._logger = sensor_service.get_logger(type(self).__name__)
        self._lock = threading.Lock()
        self._files = {}
        self._stopped = threading.Event()

    def setup(self):
        pass

    def run(self):
        while not self._stopped.wait(LOOK_EVERY_S):
            with self._lock:
                watched = list(self._files.items())
            for ref, followed in watched:
                self._tell(ref, followed)

    def cleanup(self):
        self._stopped.set()

    def add_trigger(self, trigger):
        path = trigger["parameters"].get("file_path")
        if not path:
            # The trigger of the type itself, which names no file.
            return
        with self._lock:
            if trigger["ref"] not in self._files:
                self._files[trigger["ref"]] = FollowedFile(path)
        self._logger.info('Watching the file "%s".', path)

    def update_trigger(self, trigger):
        self.remove_trigger(trigger)
        self.add_trigger(trigger)

    def remove_trigger(self, trigger):
        with self._lock:
            self._files.pop(trigger["ref"], None)

    def _tell(self, ref, followed):
        try:
            lines = followed.new_lines()
        except OSError as error:
            self._logger.error('The file "%s" cannot be read: %s', followed.path, error)
            return
        for line in lines:
            payload = {"file_path": followed.path, "file_name": os.path.basename(followed.path), "line": line}
            self._sensor_service.dispatch(trigger=ref, payload=payload)


class FollowedFile:
    """Reads new content of a file, even if the file is truncated, replaced, or created later."""

    def __init__(self, path):
        self.path = path
        self._rest = b""
        found = self._look()
        self._file, self._position = found if found else (None, 0)

    def new_lines(self):
        found = self._look()
        if found is None:
            return []
        identity, size = found
        if identity != self._file or size < self._position:
            self._file, self._position, self._rest = identity, 0, b""
        return self._read() if size > self._position else []

    def _look(self):
        try:
            about = os.stat(self.path)
        except FileNotFoundError:
            return None
        return (about.st_dev, about.st_ino), about.st_size

    def _read(self):
        with open(self.path, "rb") as file:
            file.seek(self._position)
            added = file.read(_CHUNK_BYTES)
        self._position += len(added)
        *lines, self._rest = (self._rest + added).split(b"\n")
        if len(self._rest) > _LONGEST_LINE_BYTES:
            lines.append(self._rest)
            self._rest = b""
        return [line.rstrip(b"\r").decode("utf-8", "replace") for line in lines]
