#!/bin/sh
# Arguments: command, name of the service

if command -v systemctl >/dev/null 2>&1 && [ -d /run/systemd/system ]; then
  exec systemctl "$1" "$2"
fi
exec service "$2" "$1"
