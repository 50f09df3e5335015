-- Links name patients' messages by their numbers, which begin anew in a new database: mixed into the key that signs them, this keeps links of
-- an earlier one under the same SECRET from leading to somebody else. Without a row links are signed as before, so that those sent still work.
create table link_salt (
  only_one boolean primary key default true check (only_one),
  salt uuid not null
);
insert into link_salt (salt) select gen_random_uuid() where not exists (select from company);
grant select on link_salt to pillar_system;
