-- What a person spends in a year may outgrow four bytes.
alter table touch
  alter column cents type bigint,
  alter column year_before_cents type bigint,
  alter column pre_cents type bigint,
  alter column run_cents type bigint,
  alter column run_pre_cents type bigint;

-- Patient and molecule pairs behind the observed days: a share of fewer than ten says nothing. Null until recalculated.
alter table campaign_result add column measured_pairs integer, add column base_measured_pairs integer;
