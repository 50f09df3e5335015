-- What a load keeps so that a row can be derived again when what it was derived from arrives later or changes (decision 031).

-- Ids as they were sent, while no such prescription or prescriber is stored; null once it is.
alter table script add column prescription_ref text, add column prescriber_ref text;
alter table prescription add column prescriber_ref text;
-- Repeats left after this supply, where the source gave no supply number and it follows from the repeats authorised.
alter table script add column repeats_left smallint;
create index script_unresolved on script (location_id) where prescription_ref is not null or prescriber_ref is not null;

-- What the source says of a drug, beside what follows from it (molecule_id, chronic).
alter table drug add column ingredients text, add column atc text, add column chronic_sent boolean;
update drug d set atc = m.atc, chronic_sent = case when d.chronic <> m.chronic then d.chronic end
from molecule m where m.id = d.molecule_id;

-- The last day that uploads stated to be complete; data_to is this or the newest script, whichever is later.
alter table location add column stated_to date;
update location set stated_to = data_to;
