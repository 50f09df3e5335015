-- An end that deactivating set says when a campaign ended, not until when its next activation sends.
alter table campaign add column ended_early boolean not null default false;
update campaign c set ended_early = true
where not c.active and c.end_day is not null and exists (select from message_run r where r.campaign_id = c.id);
