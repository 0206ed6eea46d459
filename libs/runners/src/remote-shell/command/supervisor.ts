import { randomHex, SECOND_MS } from '@switchyard/base';
import { oneLine, RUN_ONE_LINE, shellQuote } from './shell-text';

/** Tells a supervisor to end its command. */
export const END = 'end\n';

export interface Supervised {
  /** See `commandText`. */
  readonly program: string;
  /** As root: by bash, which is what commands under sudo are written for. */
  readonly sudo: boolean;
  /** Between the polite and the deadly signal. */
  readonly graceMs: number;
}

/**
 * The line for the shell that watches over a command on its host. The command itself, its environment with the secrets
 * in it too, goes to another shell through a pipe, in a session of its own, with nothing to read on standard input.
 *
 * The supervisor's own standard input is its life line. A line there, or its end because the connection is lost, ends the
 * command: SIGTERM, and after a moment SIGKILL, to every process that carries the mark of this command, and to their
 * process groups. So nothing survives a timeout, a cancel, or the death of the service that started it. The supervisor
 * ends with the command, and with its exit code; a command that was ended only when all of it is gone.
 */
export function supervisorLine({ program, sudo, graceMs }: Supervised): string {
  const values = `svc_marker=${MARKER}=${randomHex(12)} svc_grace=${Math.ceil(graceMs / TENTH_MS)}`;
  const command = `svc_command=${shellQuote(oneLine(program))}`;
  return oneLine([STREAMS, values, WATCHER, sudo ? BASH : LOGIN_SHELL, SETSID, command, RUN].join('\n'));
}

/**
 * By this variable the processes of a command are recognised, wherever they went: not by the execution, since two of its
 * hosts may be names of one machine.
 */
const MARKER = 'SVC_REMOTE_COMMAND';

const TENTH_MS = SECOND_MS / 10;

/** Shells tell of the death of what they started, which is no output of the command. */
const STREAMS = 'exec 4<&0 5>&1 6>&2 </dev/null >/dev/null 2>&1';

/** Where there is no `/proc`, the children of the supervisor and their process groups are all that is found. */
const WATCHER = `svc_marked() {
  if [ -e /proc/self/environ ]; then
    for svc_file in $(grep -l "$svc_marker" /proc/[0-9]*/environ); do
      svc_file=\${svc_file#/proc/}
      echo "\${svc_file%/environ}"
    done
  else
    ps -A -o ppid= -o pid= -o args= | grep -v svc_line | while read -r svc_parent svc_child svc_args; do
      [ "$svc_parent" != $$ ] || echo "$svc_child"
    done
  fi
}
svc_signal() {
  svc_found=$(svc_marked)
  for svc_pid in $svc_found; do
    case " $svc_groups " in *" $svc_pid "*) ;; *) svc_groups="$svc_groups $svc_pid";; esac
    kill -s "$1" "$svc_pid"
  done
  for svc_pid in $svc_groups; do kill -s "$1" -- "-$svc_pid"; done
}
svc_alive() {
  for svc_pid in $svc_groups; do
    if kill -0 -- "-$svc_pid"; then return 0; fi
  done
  [ -n "$(svc_marked)" ]
}
svc_end=
trap svc_end=1 USR1
trap : HUP
(
  trap : HUP
  exec 5>&- 6>&-
  svc_groups=
  read -r svc_order <&4
  kill -s USR1 $$
  svc_signal TERM
  svc_last=$((svc_grace + 50))
  while svc_alive && [ $svc_last -gt 0 ]; do
    if sleep 0.1; then svc_tenths=1; else sleep 1; svc_tenths=10; fi
    svc_grace=$((svc_grace - svc_tenths))
    svc_last=$((svc_last - svc_tenths))
    [ $svc_grace -gt 0 ] || svc_signal KILL
  done
) &
svc_watcher=$!`;

/** The user's own shell, if it is one that understands the same language. */
const LOGIN_SHELL = `case \${SHELL##*/} in
  bash|zsh|ksh|mksh|dash|ash|sh) svc_shell=$SHELL;;
  *) svc_shell=/bin/sh; ! command -v bash || svc_shell=bash;;
esac`;
const BASH = 'svc_shell=bash';

const SETSID = `svc_setsid=
! command -v setsid || svc_setsid=setsid`;

/** In the foreground: what a shell starts in the background ignores the signals of a keyboard. */
const RUN = `printf '%s\\n' "$svc_command" | ${MARKER}="\${svc_marker#*=}" $svc_setsid "$svc_shell" -c '${RUN_ONE_LINE}' 4<&- >&5 2>&6 5>&- 6>&-
svc_code=$?
[ -z "$svc_end" ] || wait $svc_watcher
kill $svc_watcher
exit $svc_code`;
