-- The groups of campaign_group once more by sex and by age, so that a page can say for whom a campaign worked.
create table campaign_subgroup (
  location_id bigint not null,
  campaign_id bigint not null,
  -- everybody is in one by sex and in one by age, on the day of the message
  subgroup text not null check (subgroup in ('women', 'men', 'sex_unknown', 'from_65', 'under_65', 'age_unknown')),
  part text not null check (part in ('treated', 'held_out', 'not_messaged')),
  n integer not null,
  dollars double precision not null,
  dollars_squared double precision not null,
  change_n integer not null,
  change_dollars double precision not null,
  change_squared double precision not null,
  primary key (location_id, campaign_id, subgroup, part)
);
create index campaign_subgroup_campaign on campaign_subgroup (campaign_id);
select pillar_protect('campaign_subgroup', 'location');
grant select, insert, update, delete on campaign_subgroup to pillar_app;

-- Campaigns that ended long ago are not calculated again.
insert into campaign_subgroup (location_id, campaign_id, subgroup, part, n, dollars, dollars_squared, change_n, change_dollars, change_squared)
with person as (
  select distinct on (t.location_id, t.campaign_id, t.patient_id) t.location_id, t.campaign_id,
    case when t.part in ('messaged', 'attempted') then 'treated' else t.part end as part,
    t.run_cents / 100.0::float8 as dollars, (t.run_cents - t.run_pre_cents) / 100.0::float8 as change, t.whole_year, t.computed_to,
    case p.sex when 'F' then 'women' when 'M' then 'men' else 'sex_unknown' end as sex,
    case when p.date_of_birth is null then 'age_unknown' when p.date_of_birth <= t.from_day - interval '65 years' then 'from_65' else 'under_65' end as age
  from touch t join patient p on p.location_id = t.location_id and p.id = t.patient_id where t.campaign_id is not null
  order by t.location_id, t.campaign_id, t.patient_id, t.part not in ('messaged', 'attempted'), t.run_id
)
select location_id, campaign_id, g.subgroup, part, count(*), sum(dollars), sum(dollars * dollars), count(*) filter (where whole_year),
  coalesce(sum(change) filter (where whole_year), 0), coalesce(sum(change * change) filter (where whole_year), 0)
from person cross join lateral (values (sex), (age)) g(subgroup)
where computed_to is not null group by 1, 2, 3, 4;
