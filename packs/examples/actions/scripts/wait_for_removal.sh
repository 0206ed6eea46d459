#!/usr/bin/env bash
# Waits until the file $1 does not exist.
set -euo pipefail

while [[ -e $1 ]]; do
  sleep 0.1
done
