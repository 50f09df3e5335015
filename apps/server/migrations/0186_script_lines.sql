-- What figures are counted from, packed: the counted scripts of each patient, in order of molecule and day. A copy of rows of script, made
-- again with every recompute of all periods; an upload replaces those of the patients it touched (decision 054).
create table script_lines (
  location_id bigint not null,
  patient_id bigint not null,
  lines bytea not null,
  primary key (location_id, patient_id)
) with (toast_tuple_target = 8160);
-- Numbers hardly compress, and every upload reads them all.
alter table script_lines alter column lines set storage external;

select pillar_protect('script_lines', 'location');
grant select, insert, update, delete on script_lines to pillar_app;
-- What a patient has is read without looking through all scripts of the pharmacy.
create index script_of_patient on script (location_id, patient_id);
