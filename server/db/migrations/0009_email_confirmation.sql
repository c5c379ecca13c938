-- Whether an account has shown that it receives mail at its address. Accounts of before have not; they are asked where a mailer is configured.
alter table users add column email_confirmed_at timestamptz;

-- Single-use links to an address: the account's own, or the one that it is to change to.
create table email_links (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index email_links_by_user on email_links (user_id);
