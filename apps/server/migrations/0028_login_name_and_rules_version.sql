-- Names of logins fold A to Z and nothing else, as foldName does: other foldings depend on the server's locale.
drop index login_username;
drop index login_email;
create unique index login_username on login (lower(username collate "C"));
create unique index login_email on login (lower(email collate "C"));

-- Who saves sending rules says which they started from.
alter table messaging_setting add column version integer not null default 1;
