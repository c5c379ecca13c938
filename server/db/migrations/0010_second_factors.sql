-- Second factors of sign-in: authenticator apps, passkeys, recovery codes, and sign-ins that wait for one of them.

-- Since when the account has an authenticator app or a passkey; null for neither. Kept in the transactions of the tables below.
alter table users add column second_factor_since timestamptz;

create table totp_secrets (
  user_id uuid not null references users (id) on delete cascade,
  -- True until the first code of the app was given.
  is_pending boolean not null,
  -- Encrypted with the server's secret key and bound to the account.
  secret bytea not null,
  created_at timestamptz not null,
  -- The newest time step whose code was accepted; its code and older ones are rejected.
  last_step bigint not null default 0,
  primary key (user_id, is_pending)
);

create table passkeys (
  -- The credential's id, base64url.
  id text primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  -- COSE.
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

-- The challenge of a passkey that is being added, one per session.
create table passkey_registrations (
  session_id uuid primary key references sessions (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  challenge text not null,
  expires_at timestamptz not null
);

create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  -- SHA-256; a code has 118 random bits.
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Sign-ins whose password was right and whose second factor is missing.
create table sign_in_challenges (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  attempts integer not null default 0,
  -- What a passkey has to sign.
  passkey_challenge text
);
create index sign_in_challenges_by_user on sign_in_challenges (user_id);
create index sign_in_challenges_by_end on sign_in_challenges (expires_at);
