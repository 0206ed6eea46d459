import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fault, newId } from '@switchyard/base';
import { startProcess, type EnvironmentMarker } from '@switchyard/subprocess';

/**
 * Locks the file, reports it, and holds the lock until this process says that the work has ended, or until the kernel closes the
 * channel because this process has died. Programs that are still running then would write at the same time as those of the
 * next holder, so they are killed first. They are found by their marker, which each has from its start. Those that start others
 * meanwhile are found by looking again.
 */
const HOLDER = `
import fcntl, os, signal, sys, time
path, marker = sys.argv[1], os.fsencode(sys.argv[2])
lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
fcntl.flock(lock, fcntl.LOCK_EX)
os.write(1, b"locked")

def kill_marked():
    found = False
    for entry in os.listdir("/proc"):
        try:
            with open("/proc/%s/environ" % int(entry), "rb") as environ:
                if marker in environ.read().split(b"\\0"):
                    found = True
                    os.kill(int(entry), signal.SIGKILL)
        except (ValueError, OSError):
            pass
    return found

try:
    has_ended = os.read(3, 1) != b""
except OSError:
    has_ended = False
for _ in range(0 if has_ended else 100):
    if not kill_marked():
        break
    time.sleep(0.02)
`;

const MARKER = 'SWITCHYARD_SETUP';

export interface LockSettings {
  readonly python: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs `work` under a lock that excludes other processes, also on machines that share the directory. A Python process
 * holds the lock, because Node.js has no file locks and virtual environments need Python anyway.
 * @param work starts its programs with the marker, so that they are killed if this process dies
 * @throws Fault `content.virtualenv` when Python is missing, and whatever `work` throws
 */
export async function holdLock<T>(
  pack: string,
  file: string,
  { python, environment }: LockSettings,
  work: (marker: EnvironmentMarker) => Promise<T>,
): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  const marker = { name: MARKER, value: newId() };
  let locked = (): void => undefined;
  const taken = new Promise<void>((resolve) => (locked = resolve));
  const holder = startProcess({
    command: { file: python, args: ['-I', '-S', '-c', HOLDER, file, `${marker.name}=${marker.value}`] },
    env: environment,
    channels: 1,
    onOutput: (stream) => void (stream === 'stdout' && locked()),
  });
  const [channel] = holder.channels;
  channel?.on('error', () => undefined);
  const failed = holder.result.then(({ spawnError, stderr }) => {
    const reason = spawnError ? `could not start ${python}: ${spawnError.message}` : `could not lock: ${stderr.text}`;
    throw fault('content.virtualenv', { pack, reason });
  });
  try {
    await Promise.race([taken, failed]);
    return await work(marker);
  } finally {
    channel?.end('.');
    await holder.result;
  }
}
