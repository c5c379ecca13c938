-- Closed candles of every source, written once: a correction is a newer revision beside the old one.
create table candles (
  series text not null,
  source text not null,
  step text not null check (step in ('1m', '1h', '1D')),
  -- Stamp in epoch milliseconds, as the charts use it; to_timestamp(time / 1000) shows it as a date.
  time bigint not null,
  revision smallint not null check (revision >= 0),
  open double precision not null,
  high double precision not null,
  low double precision not null,
  close double precision not null,
  volume double precision,
  taker_buy_volume double precision,
  stored_at timestamptz not null,
  -- Every read is a stretch of one key in order of time, newest revision first; nothing else is indexed.
  primary key (series, source, step, time, revision),
  check (low <= open and low <= close and high >= open and high >= close)
);
create trigger candles_are_append_only before update or delete on candles for each row execute function refuse_change();
create trigger candles_are_not_emptied before truncate on candles for each statement execute function refuse_change();
