-- Who may see less or more than a moment ago: open sockets are checked against it within a second.
create table access_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  changed_at timestamptz not null default now()
);

create function note_access_change_of_user() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id) values (new.id);
  return new;
end $$;
create trigger users_access_change after update on users for each row
  when (old.role is distinct from new.role or old.status is distinct from new.status
    or old.premium_end is distinct from new.premium_end or old.premium_start is distinct from new.premium_start
    or old.consent_withdrawn_at is distinct from new.consent_withdrawn_at)
  execute function note_access_change_of_user();

create function note_access_change_of_session() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id) values (old.user_id);
  return old;
end $$;
create trigger sessions_access_end after update on sessions for each row
  when (old.ended_at is distinct from new.ended_at)
  execute function note_access_change_of_session();
create trigger sessions_access_delete after delete on sessions for each row
  execute function note_access_change_of_session();
