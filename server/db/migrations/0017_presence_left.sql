-- A tab's goodbye is kept until its row would have expired, so a sign of life handled after it does not bring the tab back.
alter table presence add column left_at timestamptz;
