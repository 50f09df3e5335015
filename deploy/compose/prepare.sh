#!/bin/sh
# Makes settings.env and the secrets of compose.yaml. What is already there stays.
#   sh prepare.sh smtps://user:password@mail.example.com   sends emails through this server
#   sh prepare.sh try                                      sends none, and shows them on port 8025
set -eu
cd "$(dirname "$0")"
case "${1:-}" in
  try) mail=smtp://mail:1025 ;;
  smtp://* | smtps://*) mail=$1 ;;
  *)
    echo 'Say where emails go: sh prepare.sh smtps://user:password@mail.example.com, or: sh prepare.sh try' >&2
    exit 2
    ;;
esac

# Others may not enter the folder. The files in it they may read, because the container runs as another user.
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
# Both ends are on this server, in a network that compose makes for them: TLS would add nothing.
keep database_url "postgres://pillar_server:$(cat secrets/server_password)@database:5432/pillar?sslmode=disable"
keep database_owner_url "postgres://pillar_owner:$(cat secrets/owner_password)@database:5432/pillar?sslmode=disable"
echo 'settings.env and secrets/ are ready. Keep a copy of secrets/ somewhere other than the backups of the database.'
