#!/bin/sh
# Argument: 1, 5, 15 or all

if [ -r /proc/loadavg ]; then
  read -r one five fifteen _ </proc/loadavg
else
  set -- "$1" $(uptime | sed 's/.*load average[s]*: *//; s/, */ /g')
  one="$2" five="$3" fifteen="$4"
fi

case "$1" in
  1) echo "1 min load: $one" ;;
  5) echo "5 min load: $five" ;;
  15) echo "15 min load: $fifteen" ;;
  *) printf '1 min load: %s\n5 min load: %s\n15 min load: %s\n' "$one" "$five" "$fifteen" ;;
esac
