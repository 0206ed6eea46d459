#!/usr/bin/env bash
# Prints name, version and state of an installed package. Fails if the package is not installed.
set -euo pipefail

if ! command -v dpkg-query >/dev/null; then
  echo "dpkg-query was not found: this is not Debian or Ubuntu" >&2
  exit 1
fi
dpkg-query --show --showformat '${Package} ${Version} ${Status}\n' -- "$1"
