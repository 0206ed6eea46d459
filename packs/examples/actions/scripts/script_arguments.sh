#!/usr/bin/env bash
# Prints the position and value of every argument, one per line.
set -euo pipefail

place=0
for argument in "$@"; do
  place=$((place + 1))
  printf '%d: %s\n' "$place" "$argument"
done
