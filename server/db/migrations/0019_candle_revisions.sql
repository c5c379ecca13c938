-- Counts how often stored candles were replaced by an operator's command: running servers read them again.
create table candle_revisions (
  series text not null,
  source text not null,
  revision bigint not null default 1,
  primary key (series, source)
);
