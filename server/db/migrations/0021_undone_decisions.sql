-- Decisions that an admin can undo: what an undo restores, and which row it has undone.
alter table subscription_history
  add column state_before jsonb,
  add column undoes bigint;
create unique index subscription_history_undone_once on subscription_history (undoes) where undoes is not null;
alter table subscription_history drop constraint subscription_history_command_check;
alter table subscription_history add constraint subscription_history_command_check
  check (command in ('submit', 'accept', 'decline', 'suspend', 'expire', 'months', 'undo')) not valid;
alter table subscription_history validate constraint subscription_history_command_check;
