import { randomHex, SECOND_MS } from '@switchyard/base';
import { oneLine, RUN_ONE_LINE, shellQuote } from './command-text';

/** Makes a supervisor end its command. */
export const END = 'end\n';

export interface SupervisedCommand {
  /** See `commandText`. */
  readonly program: string;
  /** Run as root, with bash, which commands under sudo expect. */
  readonly sudo: boolean;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

/**
 * The shell code that supervises a command on its host. The command, including the secrets in its environment, is piped to
 * another shell in its own session, with empty standard input.
 *
 * The supervisor watches its own standard input. A line there, or its end when the connection is lost, ends the command:
 * SIGTERM and later SIGKILL to every process with the marker of this command and to their process groups. So nothing
 * survives a timeout, a cancel, or the death of the service. The supervisor exits with the command's exit code; after
 * killing a command, it exits once all its processes are gone.
 */
export function supervisorLine({ program, sudo, graceMs }: SupervisedCommand): string {
  const values = `svc_marker=${MARKER}=${randomHex(12)} svc_grace=${Math.ceil(graceMs / TENTH_MS)}`;
  const command = `svc_command=${shellQuote(oneLine(program))}`;
  return oneLine([STREAMS, values, WATCHER, sudo ? BASH : LOGIN_SHELL, SETSID, command, RUN].join('\n'));
}

/**
 * This variable identifies all processes of a command. The execution id would not be enough, because two hosts of an
 * execution may be the same machine.
 */
const MARKER = 'SVC_REMOTE_COMMAND';

const TENTH_MS = SECOND_MS / 10;

/** Shells report killed children; that must not appear in the command's output. */
const STREAMS = 'exec 4<&0 5>&1 6>&2 </dev/null >/dev/null 2>&1';

/** Without `/proc`, only the supervisor's children and their process groups are found. */
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

/** The user's login shell, if it is POSIX-compatible. */
const LOGIN_SHELL = `case \${SHELL##*/} in
  bash|zsh|ksh|mksh|dash|ash|sh) svc_shell=$SHELL;;
  *) svc_shell=/bin/sh; ! command -v bash || svc_shell=bash;;
esac`;
const BASH = 'svc_shell=bash';

const SETSID = `svc_setsid=
! command -v setsid || svc_setsid=setsid`;

/** Runs in the foreground, because background commands ignore keyboard signals. */
const RUN = `printf '%s\\n' "$svc_command" | ${MARKER}="\${svc_marker#*=}" $svc_setsid "$svc_shell" -c '${RUN_ONE_LINE}' 4<&- >&5 2>&6 5>&- 6>&-
svc_code=$?
[ -z "$svc_end" ] || wait $svc_watcher
kill $svc_watcher
exit $svc_code`;
