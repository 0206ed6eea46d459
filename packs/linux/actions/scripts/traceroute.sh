#!/bin/sh
# Arguments: host, maximum hops, packets per hop

if command -v traceroute >/dev/null 2>&1; then
  exec traceroute -m "$2" -q "$3" "$1"
fi
exec tracepath -m "$2" "$1"
