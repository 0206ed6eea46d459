#!/bin/sh
# sh deploy/secrets.sh [DIRECTORY]: writes the passwords of MongoDB and RabbitMQ to files that docker-compose.yml mounts.
# Passwords in SVC_DATABASE_PASSWORD and SVC_MESSAGING_PASSWORD are used, others are generated. Existing files stay.
set -eu
directory=${1:-$(dirname "$0")/secrets}
# Others cannot enter the directory. Containers get single files, which their users must be able to read.
mkdir -p "$directory"
chmod 700 "$directory"
umask 022

# Uses letters and digits, because one password is part of an address.
password() { printf '%s' "${1:-$(openssl rand -hex 24)}"; }

case ${SVC_MESSAGING_PASSWORD:-} in *[!A-Za-z0-9]*)
  echo 'ERROR: SVC_MESSAGING_PASSWORD: expected letters and digits.' >&2
  exit 1
  ;;
esac
if [ ! -e "$directory/database-password" ]; then
  password "${SVC_DATABASE_PASSWORD:-}" >"$directory/database-password"
fi
if [ ! -e "$directory/messaging-url" ] || [ ! -e "$directory/rabbitmq-user.conf" ]; then
  messaging=$(password "${SVC_MESSAGING_PASSWORD:-}")
  printf 'amqp://svc:%s@rabbitmq:5672' "$messaging" >"$directory/messaging-url"
  printf 'default_user = svc\ndefault_pass = %s\n' "$messaging" >"$directory/rabbitmq-user.conf"
fi
echo "The passwords are in $directory."
