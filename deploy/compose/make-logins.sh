#!/bin/sh
# Makes Pillar's database and its two logins (docs/operations.md, PostgreSQL). The PostgreSQL image runs it once, on an empty volume.
set -eu
export SECRETS="${SECRETS:-/run/secrets}"
for name in owner_password server_password; do
  [ -s "$SECRETS/$name" ] || { echo "$SECRETS/$name is missing or empty." >&2; exit 1; }
done
# psql reads the passwords itself, because every user of the machine can see its arguments.
psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\set owner `cat "$SECRETS/owner_password"`
\set server `cat "$SECRETS/server_password"`
create role pillar_owner login createrole bypassrls password :'owner';
create role pillar_server login noinherit password :'server';
create database pillar owner pillar_owner;
SQL
