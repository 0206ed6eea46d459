#!/usr/bin/env bash
# Prints $1 lines on each stream with $2 seconds between them.
set -euo pipefail

for ((line = 1; line <= $1; line++)); do
  echo "stdout line $line"
  echo "stderr line $line" >&2
  sleep "$2"
done
