-- Answers under a key that the caller chose, so that a call that is sent again does nothing again.
create table idempotency_keys (
  user_id uuid not null references users (id) on delete cascade,
  key text not null,
  -- What was asked: another question under the same key is refused.
  fingerprint bytea not null,
  begun_at timestamptz not null,
  -- Null while the first call runs.
  reply jsonb,
  primary key (user_id, key)
);
create index idempotency_keys_by_time on idempotency_keys (begun_at);
