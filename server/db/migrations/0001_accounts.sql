-- Accounts, sessions, presence, guess counters and chart toggles.
create table users (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  phone text not null,
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  status text check (status in ('pending', 'paid', 'cancel')),
  premium_start timestamptz,
  premium_end timestamptz,
  subscription_months integer not null default 0,
  payment_type text check (payment_type in ('crypto', 'upi', 'bank')),
  utr_no text,
  created_at timestamptz not null
);
-- One account per email in any spelling, also when two sign-ups race.
create unique index users_email_key on users (lower(email));

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  cookie_hash bytea not null unique,
  token_hash bytea not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  address text not null,
  user_agent text not null,
  ended_at timestamptz,
  end_reason text
);
create index sessions_alive_by_user on sessions (user_id) where ended_at is null;

create table presence (
  session_id uuid not null references sessions (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  tab_id uuid not null,
  expires_at timestamptz not null,
  primary key (session_id, tab_id)
);
create index presence_by_expiry on presence (expires_at);

create table rate_counters (
  bucket text primary key,
  window_end timestamptz not null,
  hits integer not null
);
create index rate_counters_by_end on rate_counters (window_end);

create table chart_settings (
  user_id uuid primary key references users (id) on delete cascade,
  flags jsonb not null,
  updated_at timestamptz not null
);
