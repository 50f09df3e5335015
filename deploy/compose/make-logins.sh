#!/bin/sh
# Run once by the PostgreSQL image, on an empty volume: Pillar's database and its two logins (docs/operations.md, PostgreSQL).
set -eu
export SECRETS="${SECRETS:-/run/secrets}"
for name in owner_password server_password; do
  [ -s "$SECRETS/$name" ] || { echo "$SECRETS/$name is missing or empty." >&2; exit 1; }
done
# psql reads the passwords itself: in its arguments every user of the machine would see them.
psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\set owner `cat "$SECRETS/owner_password"`
\set server `cat "$SECRETS/server_password"`
create role pillar_owner login createrole bypassrls password :'owner';
create role pillar_server login noinherit password :'server';
create database pillar owner pillar_owner;
SQL
