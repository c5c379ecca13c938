-- A search of one or two characters contains no trigram; these find its users where they are rare.
create function search_grams(value text) returns text[] language sql immutable strict parallel safe as $$
  select array(
    select distinct substr(value, start, size) from generate_series(1, length(value)) as start, generate_series(1, 2) as size)
$$;
create index users_by_search_grams on users using gin (search_grams(search));
