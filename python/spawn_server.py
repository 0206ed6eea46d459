"""
Starts processes for a service of Switchyard (`libs/subprocess/src/spawn-server`). A service uses a lot of memory, so copying its page
tables for each process takes milliseconds. This program is small, and `posix_spawn` copies nothing.

The only argument is the process id of the owner. The owner sends frames to standard input: two lengths (32 bits, network order),
then the fields, separated by zero bytes, and the bytes for the standard input of a process. The first field is the kind of the frame:

- `pipes`, number: requests new pipes. The answer names their reading ends, which the owner opens through `/proc`.
- `opened`: the owner has opened the last pipes, so they are closed here.
- `start`, id, number of the descriptors for standard output and error output (pipes of the owner), whether there is an input,
  working directory, program, number of arguments, number of variables, arguments (the first is the name), variables.

Standard output has one message per line: `ready` once, `pipes` (numbers), and for each start `begins`, which is sent before the
start, then either `started` (process id, start time) or `refused` (reason), and `exited` (status, as in `os.wait`).

Nothing is started after the owner has died. This process ends when its input ends for any reason.
"""

import os
import select
import signal
import struct
import sys

REQUESTS = 0
ANSWERS = 1
LENGTHS = struct.Struct("!II")
CHUNK = 1 << 16
START_FIELDS = 9
# Position of the start time after the name of the program in /proc/PID/stat.
START_TIME = 19
# Node.js starts processes in the same way: no signal is ignored or blocked.
SIGNALS = [number for number in range(1, 32) if number not in (signal.SIGKILL, signal.SIGSTOP)]
LAST_DESCRIPTOR = 1024
DEFAULT_PATH = b"/usr/local/bin:/bin:/usr/bin"


class SpawnServer:
    def __init__(self, owner):
        self._owner = owner
        self._received = bytearray()
        self._lines = []
        self._offered = []
        self._children = {}
        self._null = os.open("/dev/null", os.O_RDONLY)
        self._wake_up, wakes = os.pipe()
        os.set_blocking(self._wake_up, False)
        os.set_blocking(wakes, False)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        # Service managers stop all processes at once. The owner is stopped too, and this process ends when the owner has ended.
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)

    def serve(self):
        """Never returns."""
        if os.getppid() != self._owner:
            sys.exit("The interpreter must be started without another process in between.")
        # So that the former working directory can be unmounted or replaced.
        os.chdir("/")
        poll = select.poll()
        poll.register(REQUESTS, select.POLLIN)
        poll.register(self._wake_up, select.POLLIN)
        self._tell("ready")
        while True:
            self._flush()
            for fd, _ in poll.poll():
                if fd == REQUESTS:
                    self._receive()
                else:
                    os.read(fd, CHUNK)
            self._reap()

    def _receive(self):
        data = os.read(REQUESTS, CHUNK)
        if not data:
            os._exit(0)
        self._received += data
        while len(self._received) >= LENGTHS.size:
            fields, given = LENGTHS.unpack_from(self._received)
            end = LENGTHS.size + fields + given
            if len(self._received) < end:
                return
            body = bytes(memoryview(self._received)[LENGTHS.size : end])
            del self._received[:end]
            self._take(body[:fields].split(b"\0"), body[fields:])

    def _take(self, fields, given):
        if fields[0] == b"start":
            self._start(fields, given)
        elif fields[0] == b"pipes":
            self._offer(int(fields[1]))
        else:
            self._withdraw()

    def _offer(self, count):
        readers = []
        try:
            for _ in range(count):
                pipe = os.pipe()
                self._offered += pipe
                readers.append(pipe[0])
        except OSError:
            # The limit of descriptors is reached.
            pass
        self._tell("pipes", *readers)

    def _withdraw(self):
        for fd in self._offered:
            os.close(fd)
        self._offered.clear()

    def _start(self, fields, given):
        run = fields[1].decode()
        used = []
        try:
            pid, start_time = self._spawn(run, fields, given, used)
        except (OSError, ValueError, IndexError, NotImplementedError) as error:
            self._tell("refused", run, str(error).replace("\n", " "))
        else:
            self._children[pid] = run
            self._tell("started", run, pid, start_time)
        finally:
            for fd in used:
                os.close(fd)
            os.chdir("/")

    def _spawn(self, run, fields, given, used):
        """:param used: receives the descriptors to close"""
        _, _, stdout, stderr, has_input, directory, program, arguments, variables = fields[:START_FIELDS]
        first_variable = START_FIELDS + int(arguments)
        argv = fields[START_FIELDS:first_variable]
        environment = dict(entry.split(b"=", 1) for entry in fields[first_variable:])
        if len(fields) != first_variable + int(variables):
            raise ValueError("a zero byte")
        os.chdir(directory)
        for fd in (stdout, stderr):
            used.append(os.open(b"/proc/%d/fd/%s" % (self._owner, fd), os.O_WRONLY))
        stdin = self._input(given, used) if has_input == b"1" else self._null
        actions = [(os.POSIX_SPAWN_DUP2, fd, to) for to, fd in enumerate((stdin, used[0], used[1]))]
        paths = list(candidates(program, environment.get(b"PATH", DEFAULT_PATH)))
        if not paths:
            raise FileNotFoundError("there is no such program")
        # If this program dies now, the owner knows that the process may have run.
        self._tell("begins", run)
        self._flush()
        if os.getppid() != self._owner:
            os._exit(0)
        pid = os.posix_spawn(
            paths[0], argv, environment, file_actions=actions, setsid=True, setsigmask=(), setsigdef=SIGNALS
        )
        return pid, start_time_of(pid)

    def _input(self, given, used):
        reader, writer = os.pipe()
        used.append(reader)
        try:
            os.set_blocking(writer, False)
            if os.write(writer, given) < len(given):
                raise BlockingIOError("the input does not fit into a pipe")
        finally:
            os.close(writer)
        return reader

    def _reap(self):
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            self._tell("exited", self._children.pop(pid), status)

    def _tell(self, kind, *values):
        self._lines.append(" ".join((kind, *map(str, values))) + "\n")

    def _flush(self):
        rest = "".join(self._lines).encode("utf-8", "replace")
        self._lines.clear()
        while rest:
            try:
                rest = rest[os.write(ANSWERS, rest) :]
            except OSError:
                # The owner is gone.
                os._exit(0)


def candidates(program, path):
    """The path of the program. In less simple cases, the owner starts the program itself and gets the error."""
    if b"/" in program:
        yield program
        return
    for folder in path.split(b":"):
        file = os.path.join(folder or b".", program)
        if os.access(file, os.X_OK) and not os.path.isdir(file):
            yield file


def start_time_of(pid):
    """Can be read even after the process has ended, because nobody else waits for it. A dash if that fails: the process runs anyway."""
    try:
        stat = os.open("/proc/%d/stat" % pid, os.O_RDONLY)
    except OSError:
        return "-"
    try:
        return os.read(stat, 4096).rpartition(b") ")[2].split()[START_TIME].decode()
    except (OSError, IndexError):
        return "-"
    finally:
        os.close(stat)


if __name__ == "__main__":
    # The owner may have inherited others, which are meant for nobody else.
    os.closerange(3, LAST_DESCRIPTOR)
    SpawnServer(int(sys.argv[1])).serve()
