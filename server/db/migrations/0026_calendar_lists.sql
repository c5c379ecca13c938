-- Holiday lists that an operator imported: at most one for each exchange, merged from all imports.
create table calendar_lists (
  exchange text primary key check (exchange in ('nse', 'bse')),
  list jsonb not null,
  revision bigint not null default 1,
  updated_at timestamptz not null
);
