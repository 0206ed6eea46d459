#!/usr/bin/env bash
# Prints every argument on a line of its own: its place, and what it is.
set -euo pipefail

place=0
for argument in "$@"; do
  place=$((place + 1))
  printf '%d: %s\n' "$place" "$argument"
done
