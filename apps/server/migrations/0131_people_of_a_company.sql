-- What a patient is recognised by at the other pharmacies of the company: keyed hashes, which say nothing without the server's secret and agree
-- within one company alone. Written anew when the patient's record changes.
create table person_key (
  location_id bigint not null,
  patient_id bigint not null,
  kind text not null check (kind in ('phone', 'postcode')),
  key text not null,
  primary key (location_id, patient_id, kind),
  foreign key (location_id, patient_id) references patient (location_id, id) on delete cascade
);
create index person_key_key on person_key (key);

-- For which company, secret and rules the keys of a pharmacy were made; when one of them is another, all are made again.
create table person_key_state (
  location_id bigint primary key,
  made_for text not null
);

-- Patients that are one person with a patient of another pharmacy of the company: `person` is the same for both.
create table person_link (
  location_id bigint not null,
  patient_id bigint not null,
  person text not null,
  primary key (location_id, patient_id),
  foreign key (location_id, patient_id) references patient (location_id, id) on delete cascade
);
create index person_link_person on person_link (person);

select pillar_protect('person_key', 'location');
select pillar_protect('person_key_state', 'location');
select pillar_protect('person_link', 'location');
grant select, insert, update, delete on person_key, person_key_state, person_link to pillar_app;
