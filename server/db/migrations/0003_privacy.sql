-- Consent, erasure and the limits of keeping: what is proved, what may be forgotten, and when.

-- What an account's requests look at first; the proof is in `consents`.
alter table users add column consent_notice text;
alter table users add column consent_withdrawn_at timestamptz;
create index users_withdrawn on users (consent_withdrawn_at) where consent_withdrawn_at is not null;
-- A password that an admin chose opens the account until then.
alter table users add column temporary_password_until timestamptz;

create table erasures (
  user_id uuid primary key,
  at timestamptz not null
);
create trigger erasures_are_append_only before update or delete on erasures for each row execute function refuse_change();
create trigger erasures_are_not_emptied before truncate on erasures for each statement execute function refuse_change();

-- True for who was erased and is gone.
create function is_erased(person uuid) returns boolean language sql stable as $$
  select exists (select from erasures where user_id = person) and not exists (select from users where id = person)
$$;

create table consents (
  id bigint generated always as identity primary key,
  -- Without a reference: the proof outlives the account.
  user_id uuid not null,
  at timestamptz not null,
  act text not null check (act in ('given', 'withdrawn')),
  notice_version text not null,
  is_adult boolean not null,
  place text not null check (place in ('sign-up', 'account'))
);
create index consents_by_user on consents (user_id, id desc);

-- Proof of consent goes when nobody can ask for it any more: nine years after the account.
create function guard_consents() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (select from erasures where user_id = old.user_id and at < now() - interval '9 years') then
    return old;
  end if;
  raise exception 'rows of % are written once', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger consents_are_append_only before update or delete on consents for each row execute function guard_consents();
create trigger consents_are_not_emptied before truncate on consents for each statement execute function refuse_change();

-- Payments, their history and the access log outlive an account under a bare id, so they no longer refer to its row.
alter table payment_requests drop constraint payment_requests_user_id_fkey, drop constraint payment_requests_decided_by_fkey;
alter table subscription_history drop constraint subscription_history_user_id_fkey, drop constraint subscription_history_actor_id_fkey;
alter table sessions drop constraint sessions_user_id_fkey;
create index sessions_by_user on sessions (user_id);
create index sessions_by_last_use on sessions (last_seen_at);

-- The log stays as it was written, but for three things: an erased person's name, email and address become 'erased';
-- addresses go after a year; sign-ins and refusals, which are the access log, go as a whole after a year.
create function guard_audit_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.action in ('sign-in', 'sign-in-failed', 'access-refused') and old.at < now() - interval '1 year' then
      return old;
    end if;
  elsif (new.id, new.at, new.action) = (old.id, old.at, old.action)
    and new.actor_id is not distinct from old.actor_id
    and new.target_id is not distinct from old.target_id
    and (new.actor = old.actor or (new.actor = 'erased' and is_erased(old.actor_id)))
    and (new.target = old.target or (new.target = 'erased' and is_erased(old.target_id)))
    and (new.address = old.address
      or (new.address = '' and (old.at < now() - interval '1 year' or is_erased(coalesce(old.actor_id, old.target_id)))))
    -- What an admin searched for before an export may be a person's name.
    and (new.details = old.details or new.details = jsonb_set(old.details, '{filter,search}', '"erased"', false))
  then
    return new;
  end if;
  raise exception 'rows of % are written once', tg_table_name using errcode = 'insufficient_privilege';
end $$;
drop trigger audit_log_is_append_only on audit_log;
create trigger audit_log_is_append_only before update or delete on audit_log for each row execute function guard_audit_log();

-- A call that was under way while its account was erased must not write the name down again.
create function forget_in_audit_log() returns trigger language plpgsql as $$
begin
  if is_erased(coalesce(new.actor_id, new.target_id)) then
    new.address = '';
  end if;
  if is_erased(new.actor_id) then
    new.actor = 'erased';
  end if;
  if is_erased(new.target_id) then
    new.target = 'erased';
  end if;
  return new;
end $$;
create trigger audit_log_forgets before insert on audit_log for each row execute function forget_in_audit_log();
create index audit_log_by_actor on audit_log (actor_id, id desc);
create index audit_log_by_time on audit_log (at);
