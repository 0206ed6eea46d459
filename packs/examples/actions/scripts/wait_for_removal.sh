#!/usr/bin/env bash
# Ends when there is no file $1 (any more).
set -euo pipefail

while [[ -e $1 ]]; do
  sleep 0.1
done
