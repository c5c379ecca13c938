-- Accounts whose address nobody has confirmed: which of them end, and what their successor has entered.
-- Accounts of earlier versions and of sites without mail could not be confirmed, so they never end.
alter table users add column made_with_mail boolean not null default false;
create index users_unconfirmed on users (created_at) where made_with_mail and email_confirmed_at is null;

-- Of a sign-up with the address of an unconfirmed account: taken over when the link is used.
alter table password_links add column name text, add column phone text;
