-- The report of the last check of all stored candles.
create table candle_verification (
  id smallint primary key check (id = 1),
  -- The application names 200 findings at most.
  report jsonb not null check (octet_length(report::text) <= 131072)
);
