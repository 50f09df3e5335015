-- What a pharmacy's figures are divided out of beside its cells: sums of one period. A negative period holds those of dates that are none of
-- their own: `prior_period` says which row has the same dates a year earlier, null where the pharmacy is compared with nothing.
-- version: the rules and the list of 60-day items they were counted by; rows of another one are all counted again with the next upload.
create table metric_figure (
  location_id bigint not null,
  period integer not null,
  prior_period integer,
  version integer not null,
  from_day date not null,
  to_day date not null,
  business_days integer not null,
  revenue_cents bigint not null,
  scripts integer not null,
  patients integer not null,
  adherent_patients integer not null,
  measured_patients integer not null,
  measured_pairs integer not null,
  measured_scripts integer not null,
  adherent_scripts integer not null,
  leaked_slots integer not null,
  -- the same, as if nothing were known of supplies made elsewhere
  own_adherent_patients integer not null,
  own_measured_patients integer not null,
  own_measured_pairs integer not null,
  own_measured_scripts integer not null,
  own_adherent_scripts integer not null,
  -- patient and molecule pairs measured within two years and not supplied for one, and whose they are
  lapsed_pairs integer not null,
  lapsed_pair_patients integer not null,
  costed_scripts integer not null,
  costed_revenue_cents bigint not null,
  cost_cents bigint not null,
  new_patients integer not null,
  returning_patients integer not null,
  retained_patients integer not null,
  unplaced_patients integer not null,
  lapsed_patients integer not null,
  patient_molecules integer not null,
  repeats_due integer not null,
  repeats_missed integer not null,
  eligible_scripts integer not null,
  sixty_day_scripts integer not null,
  owing_scripts integer not null,
  deferred_scripts integer not null,
  -- days' supply of medicines taken continuously, by where it comes from
  source_days bigint not null,
  directions_days bigint not null,
  pack_days bigint not null,
  imputed_days bigint not null,
  -- of the change of revenue against a year earlier; what they leave is the mix
  volume_cents bigint,
  price_cents bigint,
  primary key (location_id, period)
);

-- How long medicines begun in a period were taken, as counts by days since the start: those who stopped, and those lost from view. A row for
-- all medicines (drug_type_id 0) and for each drug type.
create table metric_persistence (
  location_id bigint not null,
  period integer not null,
  drug_type_id integer not null,
  days smallint[] not null,
  stopped integer[] not null,
  lost integer[] not null,
  primary key (location_id, period, drug_type_id)
);

select pillar_protect('metric_figure', 'location');
select pillar_protect('metric_persistence', 'location');
grant select, insert, update, delete on metric_figure, metric_persistence to pillar_app;
