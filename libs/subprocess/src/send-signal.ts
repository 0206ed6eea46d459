import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Elevation } from './process-options';
import { SIGNAL_SCRIPT } from './signal-script';
import { survivors, type Descendants, type Survivor } from './survivors';

export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** Signals every living descendant; who is gone or belongs to somebody else is passed over. */
export async function signalDescendants(target: Descendants, signal: EndSignal, elevation?: Elevation): Promise<void> {
  if (target.leader !== undefined) sendSignal(-target.leader, signal);
  if (signal === 'SIGKILL') await killSurvivors(target);
  // What somebody starts for his cleaning up must not get it too: all are found before the first one is signalled. Nor
  // the group, which has its signal already: a second one tells some programs to skip their cleaning up.
  else for (const { pid, group } of await survivors(target)) if (group !== target.leader) sendSignal(pid, signal);
  if (elevation !== undefined) await signalElevated(target, signal, elevation);
}

/** Kills each at once, before it starts another one. @returns who was found, most of them dead by now */
export const killSurvivors = (target: Descendants): Promise<Survivor[]> =>
  survivors(target, ({ pid }) => sendSignal(pid, 'SIGKILL'));

function sendSignal(pid: number, signal: EndSignal): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it ended by itself. EPERM: it runs as another user, which is what an elevation is for.
  }
}

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
