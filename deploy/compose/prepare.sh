#!/bin/sh
# Makes settings.env and the secrets of compose.yaml, each only where it is missing.
#   sh prepare.sh smtps://user:password@mail.example.com   letters leave by this server
#   sh prepare.sh try                                      letters are caught and shown on port 8025
set -eu
cd "$(dirname "$0")"
case "${1:-}" in
  try) mail=smtp://mail:1025 ;;
  smtp://* | smtps://*) mail=$1 ;;
  *)
    echo 'Say where letters go: sh prepare.sh smtps://user:password@mail.example.com, or: sh prepare.sh try' >&2
    exit 2
    ;;
esac

# The folder is closed to others; the files in it are not, because the user in the container is another one.
mkdir -p secrets
chmod 700 secrets

keep() {
  [ -s "secrets/$1" ] && return
  printf '%s' "$2" >"secrets/$1"
  chmod 444 "secrets/$1"
}

random() {
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

[ -e settings.env ] || cp settings.example.env settings.env
if [ -s secrets/smtp_url ] && [ "$(cat secrets/smtp_url)" != "$mail" ]; then
  echo 'secrets/smtp_url names another mail server: remove that file first.' >&2
  exit 1
fi
keep superuser_password "$(random)"
keep owner_password "$(random)"
keep server_password "$(random)"
keep secret "$(random)"
keep smtp_url "$mail"
keep database_url "postgres://pillar_server:$(cat secrets/server_password)@database:5432/pillar"
keep database_owner_url "postgres://pillar_owner:$(cat secrets/owner_password)@database:5432/pillar"
echo 'settings.env and secrets/ are ready. Keep a copy of secrets/ apart from backups of the database.'
