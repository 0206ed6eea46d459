import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@switchyard/base';
import { survivors, type Descendants, type Survivor } from './survivors';

/**
 * How to signal processes of another user, such as those that `sudo` started: `command` is the prefix of a shell command
 * (`['sudo', '-n']`), and `input` is written to its standard input (a line with a password).
 */
export interface Elevation {
  readonly command: readonly [string, ...string[]];
  readonly input?: string;
}

export const DEFAULT_GRACE_MS = 5 * SECOND_MS;

/** How long killed processes may take to disappear, and how often to kill again, because a new child may have been missed. */
const KILL_WAIT_MS = SECOND_MS;
const KILL_ROUNDS = 5;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Ends all descendants: SIGTERM, then SIGKILL for those that are alive after the grace time. Returns as soon as none are left.
 * @returns the ids of processes that could not be ended, normally none
 */
export async function endDescendants(
  target: Descendants,
  options: { readonly graceMs?: number; readonly elevation?: Elevation } = {},
): Promise<number[]> {
  await signalDescendants(target, 'SIGTERM', options.elevation);
  let left = await waitUntilGone(() => survivors(target), options.graceMs ?? DEFAULT_GRACE_MS);
  for (let round = 0; left.length > 0 && round < KILL_ROUNDS; round++) {
    await signalDescendants(target, 'SIGKILL', options.elevation);
    left = await waitUntilGone(() => killSurvivors(target), KILL_WAIT_MS);
  }
  return left;
}

/** Polls at growing intervals, because only the end of this process's own children causes an event. */
async function waitUntilGone(look: () => Promise<Survivor[]>, limitMs: number): Promise<number[]> {
  const end = performance.now() + limitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const left = await look();
    const rest = end - performance.now();
    if (left.length === 0 || rest <= 0) return left.map(({ pid }) => pid);
    await delay(Math.min(pause, rest));
  }
}

type EndSignal = 'SIGTERM' | 'SIGKILL';

/** Signals all living descendants, except those of other users without an elevation. */
async function signalDescendants(target: Descendants, signal: EndSignal, elevation?: Elevation): Promise<void> {
  if (target.leader !== undefined) sendSignal(-target.leader, signal);
  if (signal === 'SIGKILL') await killSurvivors(target);
  // All are found before the first is signalled, so that processes started for cleaning up do not get the signal. The group already
  // has its signal; a second one tells some programs to skip cleaning up.
  else for (const { pid, group } of await survivors(target)) if (group !== target.leader) sendSignal(pid, signal);
  if (elevation !== undefined) await signalElevated(target, signal, elevation);
}

/** Kills each descendant when it is found, before it starts another one. @returns those found, most of them dead by now */
const killSurvivors = (target: Descendants): Promise<Survivor[]> =>
  survivors(target, ({ pid }) => sendSignal(pid, 'SIGKILL'));

function sendSignal(pid: number, signal: EndSignal): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: the process has ended. EPERM: it belongs to another user, which needs an elevation.
  }
}

/** Does the same with the rights of the other user. Failures are ignored, because survivors are reported anyway. */
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

/**
 * A script for a shell with the right to signal processes of other users. It does the same as `signalDescendants`. Arguments:
 * signal name, group id or nothing, `NAME=value` of the marker or nothing.
 *
 * `look` signals a process that has the marker, and fails if that is not known yet. `is_plain` decides whether an
 * environment that reads as empty will stay empty, by the rules of `hasEnvironmentEntry`, except that dying processes
 * are not checked again. ($1 is the state, $7 the flags, ${18} the number of threads, ${25} the end of the program,
 * ${48} and ${49} the ends of the environment; 1, 0 and 0 if they may not be read.) The search is repeated for new
 * processes and for those that are not known yet, within a limit.
 */
export const SIGNAL_SCRIPT = `
signal=$1 group=$2 marker=$3 line='
'
is_plain() {
  read -r stat < "$1/stat" || return 0
  set -- \${stat##*) }
  [ $(($7 & 0x200000)) -eq 0 ] || return 0
  if [ "$1" = Z ] || [ $(($7 & 4)) -ne 0 ]; then [ "\${18}" -le 1 ]; return; fi
  [ "\${25}" != 0 ] && [ "\${48}" = "\${49}" ]
}
look() {
  environment=$(tr '\\0' '\\n' < "$1/environ")
  if [ -z "$environment" ]; then
    ! is_plain "$1" || return 0
    environment=$(cat "$1"/task/*/environ | tr '\\0' '\\n')
    [ -n "$environment" ] || return 1
  fi
  case $line$environment$line in *"$line$marker$line"*) kill -s "$signal" "\${1#/proc/}" ;; esac
  return 0
}
[ -z "$group" ] || kill -s "$signal" -- "-$group"
[ -n "$marker" ] || exit 0
decided=" /proc/$$ "
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  new= waiting=
  for process in /proc/[0-9]*; do
    case $decided in *" $process "*) continue ;; esac
    if look "$process"; then decided="$decided$process " new=yes; else waiting=yes; fi
  done
  [ -n "$new$waiting" ] || break
  [ -z "$waiting" ] || sleep 0.01
done`;
