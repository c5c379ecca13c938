-- Keys of the server, growing waits of rate limits, and an audit log that keeps its meaning when an account is erased.

create table server_secrets (
  name text primary key,
  value bytea not null
);
-- 244 random bits each; without an extension the UUIDs are the server's only strong random source.
insert into server_secrets (name, value)
select name, decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
from unnest(array['server', 'audit-addresses']) as name;

-- Until then the bucket admits nothing; null while it is within its burst.
alter table rate_counters add column free_at timestamptz;

-- What an erased person is called in the log: the same in every row, and no name.
create function pseudonym_of(person uuid) returns text language sql immutable as $$
  select 'erased-' || right(person::text, 12)
$$;

-- Addresses of erased persons can still be told apart and compared with a suspected one, and are not readable.
create function hash_address(address text) returns text language sql stable as $$
  select case when address = '' or address like 'hash:%' then address
    else 'hash:' || left(encode(sha256(value || convert_to(address, 'UTF8')), 'hex'), 16) end
  from server_secrets where name = 'audit-addresses'
$$;

-- As before, but an erased person gets a pseudonym and an address its hash, where both were lost; a search of an export
-- changes only into such a pseudonym.
create or replace function guard_audit_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.action in ('sign-in', 'sign-in-failed', 'access-refused') and old.at < now() - interval '1 year' then
      return old;
    end if;
  elsif (new.id, new.at, new.action) = (old.id, old.at, old.action)
    and new.actor_id is not distinct from old.actor_id
    and new.target_id is not distinct from old.target_id
    and (new.actor = old.actor or (new.actor = pseudonym_of(old.actor_id) and is_erased(old.actor_id)))
    and (new.target = old.target or (new.target = pseudonym_of(old.target_id) and is_erased(old.target_id)))
    and (new.address = old.address
      or (new.address = '' and old.at < now() - interval '1 year')
      or (new.address = hash_address(old.address) and is_erased(coalesce(old.actor_id, old.target_id))))
    and (new.details = old.details
      or (new.details = jsonb_set(old.details, '{filter,search}', new.details #> '{filter,search}', false)
        and exists (select from erasures where pseudonym_of(user_id) = new.details #>> '{filter,search}')))
  then
    return new;
  end if;
  raise exception 'rows of % are written once', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create or replace function forget_in_audit_log() returns trigger language plpgsql as $$
begin
  if is_erased(coalesce(new.actor_id, new.target_id)) then
    new.address = hash_address(new.address);
  end if;
  if is_erased(new.actor_id) then
    new.actor = pseudonym_of(new.actor_id);
  end if;
  if is_erased(new.target_id) then
    new.target = pseudonym_of(new.target_id);
  end if;
  return new;
end $$;

-- Rows of accounts that are already erased.
update audit_log set
  actor = case when actor = 'erased' and is_erased(actor_id) then pseudonym_of(actor_id) else actor end,
  target = case when target = 'erased' and is_erased(target_id) then pseudonym_of(target_id) else target end
where (actor = 'erased' and is_erased(actor_id)) or (target = 'erased' and is_erased(target_id));
