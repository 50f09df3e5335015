-- Campaigns of companies and recommended ones in the support console.
alter table campaign_recommendation add column version integer not null default 1;
grant insert, update on campaign_recommendation to pillar_staff;
grant insert, delete on campaign_recommendation_template to pillar_staff;

-- How many pharmacies of a campaign have reached its goal: sums of a pharmacy, no patient among them.
select pillar_protect('campaign_result', 'location', '{pillar_staff}');
grant select (location_id, campaign_id, cents, scripts, visits, base_cents, base_scripts, base_visits, measured_pairs, observed_days,
    covered_days, here_slots, leaked_slots, base_measured_pairs, base_observed_days, base_covered_days, base_here_slots, base_leaked_slots)
  on campaign_result to pillar_staff;

-- What the lists begin with, and what was made from a recommended one.
create index campaign_by_name on campaign (lower(name), id) where removed_at is null;
create index campaign_recommendation_of on campaign (campaign_recommendation_id) where campaign_recommendation_id is not null;
