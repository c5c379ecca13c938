-- When a link was last mailed that gives the account, then unconfirmed, to the owner of its address: it still does so
-- if an older mail has confirmed the address meanwhile.
alter table users add column claimed_at timestamptz;
