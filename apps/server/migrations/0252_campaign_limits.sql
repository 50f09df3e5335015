-- A campaign that patients' health depends on keeps nobody back at random, whatever share its company keeps back.
alter table campaign add column no_holdout boolean not null default false;

-- What a sending may still cost beyond its texts as they were written, in cents: a new sender's opt-out line can make them dearer.
alter table campaign_approval add column spare_cents bigint not null default 0;
