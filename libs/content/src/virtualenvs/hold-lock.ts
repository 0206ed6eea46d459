import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fault } from '@switchyard/base';
import { startProcess } from '@switchyard/subprocess';

/** Locks the file, says so, and keeps it until its channel is closed: by us, or by the kernel when we are gone. */
const HOLDER = `
import fcntl, os, sys
lock = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o644)
fcntl.flock(lock, fcntl.LOCK_EX)
os.write(1, b"locked")
os.read(3, 1)
`;

export interface LockSettings {
  readonly python: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Does something while no other process, here or on a machine that shares the directory, does the same. The lock belongs to
 * a process of Python, as Node.js has none of its own; whoever needs virtual environments has Python.
 * @throws Fault `content.virtualenv` when there is no Python, besides what `work` throws
 */
export async function holdLock<T>(
  pack: string,
  file: string,
  { python, environment }: LockSettings,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  let locked = (): void => undefined;
  const taken = new Promise<void>((resolve) => (locked = resolve));
  const holder = startProcess({
    command: { file: python, args: ['-I', '-S', '-c', HOLDER, file] },
    env: environment,
    channels: 1,
    onOutput: (stream) => void (stream === 'stdout' && locked()),
  });
  const [channel] = holder.channels;
  channel?.on('error', () => undefined);
  const failed = holder.result.then(({ spawnError, stderr }) => {
    const reason = spawnError ? `${python} cannot be started: ${spawnError.message}` : `no lock: ${stderr.text}`;
    throw fault('content.virtualenv', { pack, reason });
  });
  try {
    await Promise.race([taken, failed]);
    return await work();
  } finally {
    channel?.destroy();
    await holder.result;
  }
}
