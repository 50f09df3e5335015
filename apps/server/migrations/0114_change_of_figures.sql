-- What a year earlier brought, for revenue and per business day, and where its cells are stored: metric_cell under `prior_period`.
-- A negative period holds the cells of dates that are no period of their own: those that a running period is compared with, and those
-- of a year that is no longer offered.
alter table metric_total
  add column prior_revenue_cents bigint,
  add column prior_business_days integer,
  add column prior_period integer;

-- Ended periods take theirs from the period a year before. The others are compared with nothing until the next upload counts them again.
update metric_total t
set prior_revenue_cents = p.revenue_cents, prior_business_days = p.business_days, prior_period = p.period
from metric_total p
where p.location_id = t.location_id and p.period = t.period - 100 and p.scripts = t.prior_scripts and p.patients = t.prior_patients
  and to_char(p.to_day + 1, 'MM-DD') = to_char(t.to_day + 1, 'MM-DD');
update metric_total
set prior_scripts = null, prior_patients = null, prior_male = null, prior_female = null, prior_adherent = null, prior_non_adherent = null,
  prior_opportunity_cents = null
where prior_period is null;
