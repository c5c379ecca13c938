-- Keys that charting programs read candles with, below /udf only.

create table udf_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  -- SHA-256; a key has 256 random bits.
  key_hash bytea not null unique,
  -- The first characters of the key, by which its owner tells it from others.
  prefix text not null,
  created_at timestamptz not null,
  -- At most a minute behind.
  last_used_at timestamptz
);
create index udf_keys_by_user on udf_keys (user_id);
