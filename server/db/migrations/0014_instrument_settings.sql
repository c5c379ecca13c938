-- What admins changed about instruments: the provider's symbol, substitutes, which chart comes first, visibility.
create table instrument_settings (
  slug text primary key,
  -- Null where the product's own value holds, in all of these.
  symbol text,
  widget text,
  substitutes jsonb,
  first_chart text,
  is_hidden boolean not null default false,
  -- Counts the changes; a save names the one it is based on.
  version integer not null,
  updated_at timestamptz not null
);
