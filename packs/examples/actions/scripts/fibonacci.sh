#!/usr/bin/env bash
# Prints the Fibonacci numbers from $1 to $2, one per line, each once.
set -euo pipefail

awk -v start="$1" -v end="$2" 'BEGIN {
  smaller = 0
  greater = 1
  while (smaller <= end) {
    if (smaller >= start && !(smaller in printed)) print smaller
    printed[smaller]
    next_one = smaller + greater
    smaller = greater
    greater = next_one
  }
}'
