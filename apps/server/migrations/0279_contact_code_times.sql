-- When each code of the last hour was sent: the count in asks went up for as long as nobody paused for an hour, so that somebody who asked
-- for one now and then was refused. The column asks is left for the version before, and is no longer read.
alter table staff_contact add column asked_times timestamptz[] not null default '{}';
update staff_contact set asked_times = array[asked_at];
