#!/usr/bin/env bash
# Prints the variables of this example, and those that describe the context of an action.
set -euo pipefail

env | grep -E '^(EXAMPLE|SVC_ACTION|ST2_ACTION)_' | grep -v -i token | sort
