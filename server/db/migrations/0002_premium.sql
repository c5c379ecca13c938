-- Plans, payment requests, the history of subscriptions and the audit log.
create table plans (
  id uuid primary key default gen_random_uuid(),
  -- One plan of each type, also when two admins race.
  type text not null unique check (type in ('regular', 'crypto')),
  months integer not null check (months between 1 and 120),
  price_minor bigint not null check (price_minor > 0),
  qr_image text not null,
  qr_text text,
  version integer not null default 1,
  updated_at timestamptz not null
);

create table payment_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  type text not null check (type in ('regular', 'crypto')),
  months integer not null check (months between 1 and 120),
  price_minor bigint not null check (price_minor > 0),
  rail text not null,
  reference_raw text not null,
  -- Claimed once, ever, by anyone.
  reference text not null unique,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references users (id) on delete set null
);
-- One pending request per user.
create unique index payment_requests_pending_by_user on payment_requests (user_id) where status = 'pending';
create index payment_requests_by_user on payment_requests (user_id);
create index payment_requests_pending on payment_requests (created_at) where status = 'pending';
create index payment_requests_accepted on payment_requests (decided_at) where status = 'accepted';

create table subscription_history (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id) on delete cascade,
  request_id uuid references payment_requests (id) on delete set null,
  -- Null is the clock.
  actor_id uuid references users (id) on delete set null,
  command text not null check (command in ('submit', 'accept', 'decline', 'suspend', 'expire', 'months')),
  reason text,
  at timestamptz not null,
  status_before text,
  status_after text,
  premium_end_before timestamptz,
  premium_end_after timestamptz,
  months_after integer not null
);
create index subscription_history_by_user on subscription_history (user_id, id desc);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Kept as text beside the id, so that an erased account leaves a readable log.
  actor_id uuid,
  actor text not null,
  action text not null,
  target_id uuid,
  target text not null,
  address text not null,
  details jsonb not null
);
create index audit_log_by_target on audit_log (target_id, id desc);
create index audit_log_by_action on audit_log (action, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are written once', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_is_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_is_not_emptied before truncate on audit_log for each statement execute function refuse_change();

-- A password given again: what moves money or passwords asks for one that is recent.
alter table sessions add column confirmed_at timestamptz;

-- The day of the month on which premium ends; short months clamp it, the next one returns to it.
alter table users add column anchor_day integer check (anchor_day between 1 and 31);
alter table users add column password_is_temporary boolean not null default false;

-- The admin's list: newest first, by start of premium, by date of account, and any middle piece of name, email or reference.
create index users_by_creation on users (created_at desc, id);
create index users_by_premium_start on users (premium_start desc nulls last, id);
-- Read backwards the other one would begin with the empty dates.
create index users_by_premium_start_up on users (premium_start, id);
create index users_by_premium_end on users (premium_end) where status = 'paid';
create index users_pending on users (created_at) where status = 'pending';
create extension if not exists pg_trgm;
alter table users add column search text generated always as (lower(name || ' ' || email || ' ' || coalesce(utr_no, ''))) stored;
create index users_by_search on users using gin (search gin_trgm_ops);

-- Single-use links for forgotten passwords; only hashes are kept.
create table password_links (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_links_by_user on password_links (user_id);
