-- Of which spans of stamps every candle is stored that the source has. What is missing there was not traded, and is not asked for again.
create table candle_coverage (
  series text not null,
  source text not null,
  step text not null,
  -- Epoch milliseconds, as the stamps of the candles; the end is exclusive. Spans of one key neither overlap nor touch.
  from_ms bigint not null,
  to_ms bigint not null check (to_ms > from_ms),
  primary key (series, source, step, from_ms)
);
alter table candles drop constraint candles_step_check,
  add constraint candles_step_check check (step in ('1m', '5m', '15m', '30m', '1h', '4h', '1D'));

-- What was stored before is covered as far as candles follow each other; what is between is asked for again.
insert into candle_coverage (series, source, step, from_ms, to_ms)
select series, source, step, min(time), max(time) + width
from (
  select *, sum(is_first) over (partition by series, source, step order by time) as run
  from (
    select *, case when time - lag(time) over (partition by series, source, step order by time) <= width then 0 else 1 end as is_first
    from (
      select distinct series, source, step, time,
        case step when '1m' then 60000 when '1h' then 3600000 else 86400000 end as width
      from candles
    ) as stamps
  ) as marked
) as runs
group by series, source, step, width, run;
