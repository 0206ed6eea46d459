/**
 * Starts the program of a sensor (`$@`) with a guard beside it, in the same process group. The guard waits on descriptor
 * 4, whose other end the container holds. When the container is gone, for whatever reason, the guard terminates the
 * group, and kills it after the time in `$1` (seconds), along with processes that have left the group but carry the
 * marker in `$2`. So nothing outlives the container, whatever the sensor does.
 */
export const GUARDED_START = `
grace=$1; marker=$2; shift 2
(
  exec 3<&- </dev/null >/dev/null 2>&1
  read -r _ <&4
  trap '' TERM
  kill -s TERM -- "-$$"
  sleep "$grace"
  self=$(exec sh -c 'echo $PPID')
  for entry in /proc/[0-9]*; do
    pid=\${entry#/proc/}
    [ "$pid" = "$self" ] && continue
    if tr '\\0' '\\n' < "$entry/environ" | grep -qxF -e "$marker"; then kill -s KILL "$pid"; fi
  done
  kill -s KILL -- "-$$"
) &
exec 4<&-
exec "$@"
`;
