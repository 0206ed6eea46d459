import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fault } from '@switchyard/base';
import { startProcess } from '@switchyard/subprocess';

/**
 * Locks the file, reports it, and holds the lock until its channel is closed, by this process or by the kernel when
 * this process dies. Programs that are still running then would write at the same time as those of the next holder, so
 * they are killed first.
 */
const HOLDER = `
import fcntl, os, signal, sys
lock = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o644)
fcntl.flock(lock, fcntl.LOCK_EX)
os.write(1, b"locked")
running = set()
for line in os.fdopen(3, "rb"):
    (running.add if line[:1] == b"+" else running.discard)(int(line[1:]))
for leader in running:
    try:
        os.killpg(leader, signal.SIGKILL)
    except OSError:
        pass
`;

/** Kills programs if this process dies while they run. */
export interface ProgramGuard {
  /** @param leader the process that leads the group of the program */
  started(leader: number): void;
  ended(leader: number): void;
}

export interface LockSettings {
  readonly python: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs `work` under a lock that excludes other processes, also on machines that share the directory. A Python process
 * holds the lock, because Node.js has no file locks and virtual environments need Python anyway.
 * @throws Fault `content.virtualenv` when Python is missing, and whatever `work` throws
 */
export async function holdLock<T>(
  pack: string,
  file: string,
  { python, environment }: LockSettings,
  work: (guard: ProgramGuard) => Promise<T>,
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
    const reason = spawnError ? `could not start ${python}: ${spawnError.message}` : `could not lock: ${stderr.text}`;
    throw fault('content.virtualenv', { pack, reason });
  });
  try {
    await Promise.race([taken, failed]);
    return await work({
      started: (leader) => void channel?.write(`+${leader}\n`),
      ended: (leader) => void channel?.write(`-${leader}\n`),
    });
  } finally {
    channel?.destroy();
    await holder.result;
  }
}
