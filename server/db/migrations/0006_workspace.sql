-- What an account keeps of its screen. Each save names the version that it replaces, so that no device overwrites another unseen.
create table workspaces (
  user_id uuid primary key references users on delete cascade,
  version integer not null check (version > 0),
  -- The application bounds it to 64 kB; this is the wall behind it.
  content jsonb not null check (octet_length(content::text) <= 131072),
  updated_at timestamptz not null
);

create table drawings (
  user_id uuid not null references users on delete cascade,
  -- Key of the prices: two names of one instrument share their drawings.
  series text not null,
  version integer not null check (version > 0),
  items jsonb not null check (octet_length(items::text) <= 524288),
  updated_at timestamptz not null,
  primary key (user_id, series)
);
