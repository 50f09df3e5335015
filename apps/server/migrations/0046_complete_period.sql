-- Whether a pharmacy's data fill a period: a supply on at least 90% of its business days, public holidays of its region left out, and none
-- of them before its data. Rows from before are judged by Mondays to Fridays, until the next upload counts them again.
alter table metric_total add column complete boolean not null default false;
update metric_total set complete = business_days * 10 >= 9 * (
  select count(*) from generate_series(from_day::timestamp, to_day, interval '1 day') d where extract(isodow from d) < 6);

-- Pharmacies that may enter a period they are not in: complete, with five scripts a business day.
drop function average_candidates(text, integer[], integer[], integer[]);
create function average_candidates(country_code text, periods integer[])
returns table (period integer, location_id bigint, company_id bigint)
language sql stable security definer set search_path = public as $$
  select t.period, t.location_id, l.company_id
  from metric_total t
  join location l on l.id = t.location_id and l.country = country_code and l.removed_at is null
  where t.period = any (periods) and t.complete and t.scripts >= t.business_days * 5
    and not exists (
      select from average_member m where m.country = country_code and m.period = t.period and m.location_id = t.location_id)
$$;
grant create on schema public to pillar_report;
alter function average_candidates(text, integer[]) owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function average_candidates(text, integer[]) from public;
grant execute on function average_candidates(text, integer[]) to pillar_system;
