-- What has to be added to the sums of pharmacies where they share people, so that each of these counts once. A row is of a set of two to five
-- pharmacies: `location_id` is the lowest of them, `others` the rest in order. The figures of any pharmacies together are their own sums
-- and the rows of all sets that lie among them. `earlier`: of the dates a year earlier that the period is compared with.
create table person_figure (
  location_id bigint not null,
  others bigint[] not null,
  period integer not null,
  earlier boolean not null,
  -- people who were at two or more of the pharmacies in the period
  shared_people integer not null,
  patients integer not null,
  male integer not null,
  female integer not null,
  adherent_patients integer not null,
  measured_patients integer not null,
  opportunity_cents bigint not null,
  measured_pairs integer not null,
  measured_scripts integer not null,
  adherent_scripts integer not null,
  leaked_slots integer not null,
  own_adherent_patients integer not null,
  own_measured_patients integer not null,
  own_measured_pairs integer not null,
  own_measured_scripts integer not null,
  own_adherent_scripts integer not null,
  lapsed_pairs integer not null,
  lapsed_pair_patients integer not null,
  new_patients integer not null,
  returning_patients integer not null,
  retained_patients integer not null,
  unplaced_patients integer not null,
  lapsed_patients integer not null,
  patient_molecules integer not null,
  primary key (location_id, others, period, earlier)
);

-- The same for the cells of the category tables; category 0 is the total.
create table person_cell (
  location_id bigint not null,
  others bigint[] not null,
  period integer not null,
  earlier boolean not null,
  category_id smallint not null,
  subcategory_id integer not null,
  patients integer not null,
  measured_pairs integer not null,
  measured_scripts integer not null,
  adherent_scripts integer not null,
  observed_days bigint not null,
  covered_days bigint not null,
  opportunity_cents bigint not null,
  leaked_slots integer not null,
  primary key (location_id, period, category_id, earlier, others, subcategory_id)
);

select pillar_protect('person_figure', 'location');
select pillar_protect('person_cell', 'location');
grant select, insert, update, delete on person_figure, person_cell to pillar_app;
