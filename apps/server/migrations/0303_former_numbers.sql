-- The numbers that patients had in a dispensing system which their pharmacy has replaced: `patient` names the system of today.
create table patient_former (
  location_id bigint not null,
  source text not null,
  source_id text not null,
  patient_id bigint not null,
  primary key (location_id, source, source_id),
  foreign key (location_id, patient_id) references patient (location_id, id) on delete cascade
);
create index patient_former_patient on patient_former (location_id, patient_id);

select pillar_protect('patient_former', 'location');
grant select, insert, update, delete on patient_former to pillar_app;
