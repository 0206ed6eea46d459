#!/bin/sh
# Arguments: state, name or pid; the value to search for; further options for ps. Prints one JSON object keyed by process id.

search="${1:-name}" criteria="$2"

# The options are several words, so they stay unquoted.
# shellcheck disable=SC2086
ps ${3:--e} -o pid= -o state= -o comm= | SEARCH="$search" CRITERIA="$criteria" awk '
  function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
  }
  {
    pid = $1
    state = $2
    name = $0
    sub(/^ *[^ ]+ +[^ ]+ +/, "", name)
    wanted = ENVIRON["CRITERIA"]
    found = 0
    if (wanted == "") found = 1
    else if (ENVIRON["SEARCH"] == "pid") found = pid == wanted
    else if (ENVIRON["SEARCH"] == "state") found = index(state, wanted) == 1
    else found = name ~ wanted
    if (!found) next
    printf "%s\"%s\": {\"state\": %s, \"name\": %s}", separator == "" ? "{" : separator, pid, quoted(state), quoted(name)
    separator = ", "
  }
  END { print separator == "" ? "{}" : "}" }
'
