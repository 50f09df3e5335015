-- Systems that the page called not supported when somebody signed up, and said it would write about; and when support did, once.
alter table signup add column asked_for text[] not null default '{}';
alter table signup add column supported_told_at timestamptz;
update signup set asked_for = '{corumclear}' where 'corumclear' = any (sources);
grant select (asked_for, supported_told_at) on signup to pillar_staff;
grant update (supported_told_at) on signup to pillar_staff;
