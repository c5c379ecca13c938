-- A session gets a new cookie when its owner confirms who they are; requests under way still have the former one.
alter table sessions
  add column former_cookie_hash bytea,
  add column renewed_at timestamptz;
create index sessions_by_former_cookie on sessions (former_cookie_hash) where former_cookie_hash is not null;
