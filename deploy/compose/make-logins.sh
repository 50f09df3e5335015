#!/bin/sh
# Run once by the PostgreSQL image, on an empty volume: Pillar's database and its two logins (docs/operations.md, PostgreSQL).
set -eu
psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set owner="$(cat "${SECRETS:-/run/secrets}/owner_password")" \
  --set server="$(cat "${SECRETS:-/run/secrets}/server_password")" <<'SQL'
create role pillar_owner login createrole bypassrls password :'owner';
create role pillar_server login noinherit password :'server';
create database pillar owner pillar_owner;
SQL
