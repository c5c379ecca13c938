-- Brokers that users have connected themselves. Without premium a connection is not used.
create table broker_connections (
  user_id uuid primary key references users (id) on delete cascade,
  broker text not null check (broker in ('kite', 'openalgo')),
  -- Keys and token as JSON, encrypted and bound to the account; the first bytes name the key.
  secret bytea not null,
  -- Where OpenAlgo is; null for Kite.
  address text,
  -- Another value with every change of what the connection can do.
  version uuid not null default gen_random_uuid(),
  created_at timestamptz not null,
  -- When the broker last accepted a login or key; null until the first.
  session_at timestamptz,
  -- When the broker ends that session; null where it does not.
  expires_at timestamptz,
  -- When the broker said that it accepts the session or key no longer.
  refused_at timestamptz,
  -- A login that is under way: SHA-256 of its state, the session that began it, and its end.
  login_hash bytea,
  login_session uuid,
  login_expires_at timestamptz
);

create function note_access_change_of_broker() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id) values (coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger broker_connections_made after insert or delete on broker_connections for each row
  execute function note_access_change_of_broker();
create trigger broker_connections_changed after update on broker_connections for each row
  when (old.version is distinct from new.version)
  execute function note_access_change_of_broker();
