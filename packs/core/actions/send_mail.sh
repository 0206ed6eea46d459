#!/usr/bin/env bash
# Arguments: program, sender, recipients, subject, whether to send an empty body (1 or 0), type of the body, body, attachments
set -u
export LC_ALL=C.UTF-8

FAILURE=2

fail() {
  echo "$1" >&2
  exit "$FAILURE"
}

find_sendmail() {
  if [ "$1" != None ] && [ -n "$1" ]; then
    echo "$1"
    return
  fi
  PATH="$PATH:/usr/sbin:/usr/lib:/sbin" command -v sendmail
}

# A line break would start another header.
one_line() {
  printf '%s' "$1" | tr '\r\n' '  '
}

# Headers are ASCII. Other texts are encoded ten characters at a time, since an encoded word is limited to 75 bytes.
header_text() {
  local text rest
  text=$(one_line "$1")
  if ! printf '%s' "$text" | LC_ALL=C grep -q '[^ -~]'; then
    printf '%s' "$text"
    return
  fi
  for ((rest = 0; rest < ${#text}; rest += 10)); do
    [ "$rest" -eq 0 ] || printf '\n '
    printf '=?UTF-8?B?%s?=' "$(printf '%s' "${text:rest:10}" | base64 | tr -d '\n')"
  done
}

encoded() {
  base64 | fold -w 76
  echo
}

attach() {
  local path="$1" name
  name=$(one_line "$(basename "$path")" | tr -d '"')
  echo "--$boundary"
  echo "Content-Type: application/octet-stream; name=\"$name\""
  echo "Content-Transfer-Encoding: base64"
  echo "Content-Disposition: attachment; filename=\"$name\""
  echo
  encoded <"$path"
}

message() {
  local path
  echo "From: $(one_line "$sender")"
  echo "To: $(one_line "$recipients")"
  echo "Subject: $(header_text "$subject")"
  echo "MIME-Version: 1.0"
  echo "Content-Type: multipart/mixed; boundary=\"$boundary\""
  echo
  echo "--$boundary"
  echo "Content-Type: $(one_line "$content_type"); charset=UTF-8"
  echo "Content-Transfer-Encoding: base64"
  echo
  printf '%s' "$body" | encoded
  for path in "${files[@]+"${files[@]}"}"; do
    attach "$path"
  done
  echo "--$boundary--"
}

sender="$2" recipients="$3" subject="$4" send_empty="$5" content_type="$6" body="$7"

if [ -z "$body" ] && [ "$send_empty" != 1 ]; then
  echo "The body is empty, so no email is sent."
  exit 0
fi

program=$(find_sendmail "$1") || fail "There is no program sendmail."
[ -x "$program" ] || fail "\"$program\" cannot be executed."

case "$sender" in
  *@*) ;;
  *) sender="$sender@$(hostname -f 2>/dev/null || hostname)" ;;
esac

files=()
IFS=, read -r -a names <<<"${8:-}"
for name in "${names[@]+"${names[@]}"}"; do
  name="${name#"${name%%[! ]*}"}"
  name="${name%"${name##*[! ]}"}"
  [ -n "$name" ] || continue
  [ -r "$name" ] || fail "The attachment \"$name\" cannot be read."
  files+=("$name")
done

boundary="part-$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')"
message | "$program" -t || fail "$program failed."
