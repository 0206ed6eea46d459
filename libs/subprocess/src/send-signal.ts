import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Elevation } from './process-options';
import { survivors, type Descendants } from './survivors';

export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** Signals every living descendant; who is gone or belongs to somebody else is passed over. */
export async function signalDescendants(target: Descendants, signal: EndSignal, elevation?: Elevation): Promise<void> {
  if (target.leader !== undefined) sendSignal(-target.leader, signal);
  for (const { pid, group } of await survivors(target)) {
    // The group has its signal already, and a second SIGTERM tells some programs to skip their cleaning up.
    if (signal === 'SIGKILL' || group !== target.leader) sendSignal(pid, signal);
  }
  if (elevation !== undefined) await signalElevated(target, signal, elevation);
}

function sendSignal(pid: number, signal: EndSignal): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it ended by itself. EPERM: it runs as another user, which is what an elevation is for.
  }
}

/** Arguments: signal name, group id or nothing, `NAME=value` of the marker or nothing. */
const SIGNAL_SCRIPT = `
[ -z "$2" ] || kill -s "$1" -- "-$2"
[ -n "$3" ] || exit 0
for process in /proc/[0-9]*; do
  if tr '\\0' '\\n' < "$process/environ" | grep -qxF -e "$3"; then kill -s "$1" "\${process#/proc/}"; fi
done`;

/** The same once more with the rights of the other user. That it fails is no news: what survives is reported anyway. */
async function signalElevated(target: Descendants, signal: EndSignal, elevation: Elevation): Promise<void> {
  const [file, ...first] = elevation.command;
  const marker = target.marker === undefined ? '' : `${target.marker.name}=${target.marker.value}`;
  const group = target.leader === undefined ? '' : String(target.leader);
  const args = [...first, '/bin/sh', '-c', SIGNAL_SCRIPT, 'sh', signal.slice('SIG'.length), group, marker];
  const child = spawn(file, args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: 5000, killSignal: 'SIGKILL' });
  child.stdin.on('error', () => undefined);
  child.stdin.end(elevation.input ?? '');
  await once(child, 'close').catch(() => undefined);
}
