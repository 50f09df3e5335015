-- What contradicts a register and the counts sent beside it are chained too: both in one chain a pharmacy, in the order of their arrival
-- (docs/decisions/045-s8-registers.md).
alter table s8_contradiction add column seq bigint, add column hash bytea;
alter table s8_status add column seq bigint, add column hash bytea;
alter table s8_head add column evidence_seq bigint not null default 0, add column evidence_hash bytea not null default '';

-- What has arrived so far, in the order in which it did. No temporary tables: their schema would stay with whoever migrates.
create table s8_order as
select r.*, row_number() over (partition by location_id order by received_at, kind, id, taken_at, source) as seq from (
  select location_id, 'contradiction' as kind, id, null::text as source, null::timestamptz as taken_at, received_at from s8_contradiction
  union all
  select location_id, 'status', null, source, taken_at, received_at from s8_status
) r;
update s8_contradiction c set seq = o.seq from s8_order o
where o.kind = 'contradiction' and o.location_id = c.location_id and o.id = c.id;
update s8_status t set seq = o.seq from s8_order o
where o.kind = 'status' and o.location_id = t.location_id and o.source = t.source and o.taken_at = t.taken_at;

create table s8_linked as
select location_id, seq, s8_chain(''::bytea, line) over (partition by location_id order by seq rows unbounded preceding) as hash from (
  select location_id, seq, row('contradiction'::text, location_id, seq, source, number, content, encode(content_hash, 'hex'),
    extract(epoch from received_at), upload_id)::text as line from s8_contradiction
  union all
  select location_id, seq, row('status'::text, location_id, seq, source, extract(epoch from taken_at), incoming_scripts, incoming_invoices,
    active_odt_patients, pending_odt_claims, active_ss_patients, extract(epoch from received_at))::text from s8_status
) r;
update s8_contradiction c set hash = k.hash from s8_linked k where k.location_id = c.location_id and k.seq = c.seq;
update s8_status t set hash = k.hash from s8_linked k where k.location_id = t.location_id and k.seq = t.seq;
insert into s8_head (location_id, seq, hash) select distinct location_id, 0, ''::bytea from s8_linked on conflict do nothing;
update s8_head h set evidence_seq = k.seq, evidence_hash = k.hash
from (select distinct on (location_id) * from s8_linked order by location_id, seq desc) k where k.location_id = h.location_id;
drop table s8_order, s8_linked;

alter table s8_contradiction alter column seq set not null, alter column hash set not null, add unique (location_id, seq);
alter table s8_status alter column seq set not null, alter column hash set not null, add unique (location_id, seq);
