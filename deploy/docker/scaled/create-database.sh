#!/bin/sh
# Runs once, when the PostgreSQL container creates its data: a role of Tezi that is no superuser, and its database.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$TEZI_PASSWORD" <<'SQL'
create role tezi login password :'password';
create database tezi owner tezi encoding 'UTF8';
SQL
