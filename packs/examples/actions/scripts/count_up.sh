#!/usr/bin/env bash
# Counts to $1 with $2 seconds between the steps, and exits cleanly when it is told to stop.
set -euo pipefail

steps=${1:-30}
pause=${2:-1}
trap 'echo "stopped on request" >&2; exit 143' TERM INT

for ((step = 1; step <= steps; step++)); do
  printf 'step %d of %d (%d%%)\n' "$step" "$steps" $((100 * step / steps))
  if ((step < steps)); then
    # In the background, so that a signal ends the wait at once.
    sleep "$pause" &
    wait $!
  fi
done
echo "done"
