/**
 * A script for a shell with the right to signal processes of other users. It does the same as `signalDescendants`. Arguments:
 * signal name, group id or nothing, `NAME=value` of the marker or nothing.
 *
 * `look` signals a process that has the marker, and fails if that is not known yet. `is_plain` tells whether an environment that
 * reads as empty will stay so, by the rules of `hasEnvironmentEntry`, except that dying processes are not checked again. ($1 is the
 * state, $7 the flags, ${18} the number of threads, ${25} the end of the program, ${48} and ${49} the ends of the environment;
 * 1, 0 and 0 if they may not be read.) The search is repeated for new processes and for those that are not known yet, within a limit.
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
