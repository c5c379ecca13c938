-- Rows that a source returned and that cannot be candles: their time is not covered until three equal answers settle it.
create table rejected_rows (
  series text not null,
  source text not null,
  step text not null,
  -- Epoch milliseconds, as the timestamps of the candles; the end is exclusive. Spans of one key do not overlap.
  from_ms bigint not null,
  to_ms bigint not null check (to_ms > from_ms),
  -- What is wrong with the first of them.
  issue text not null check (length(issue) <= 40),
  -- A hash of the rows: another answer starts the count again.
  answer text not null check (length(answer) <= 64),
  answers smallint not null check (answers > 0),
  counted_at timestamptz not null,
  is_settled boolean not null,
  primary key (series, source, step, from_ms)
);
