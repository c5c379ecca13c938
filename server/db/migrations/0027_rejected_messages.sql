-- How many live messages a source has sent that cannot be used; of users' own brokers also rows of history, without the user.
create table rejected_messages (
  series text not null,
  source text not null,
  is_own boolean not null,
  count bigint not null check (count > 0),
  -- What is wrong with the last of them.
  issue text not null check (length(issue) <= 40),
  rejected_at timestamptz not null,
  primary key (series, source, is_own)
);
