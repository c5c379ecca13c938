-- For which corporate actions the stored candles of a key have been compared with their source.
create table adjustment_checks (
  series text not null,
  source text not null,
  step text not null,
  -- Ex-dates and factors; another table of actions means another comparison.
  actions text not null,
  checked_at timestamptz not null,
  primary key (series, source, step)
);
