-- Who has written or changed the text of a template since a second person last approved it, and who has ever changed a campaign: they
-- approve neither (decision 055).
alter table template add column editors bigint[] not null default '{}';
alter table campaign add column editors bigint[] not null default '{}';
