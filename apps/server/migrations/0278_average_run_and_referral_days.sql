-- The last day on which all averages that were due were published to a company: before that, a month without one has not been worked out.
create table average_run (
  company_id bigint primary key references company (id),
  last_run date not null
);
select pillar_protect('average_run', 'company', '{pillar_system}');
grant select on average_run to pillar_app;
grant select, insert, update on average_run to pillar_system;
insert into average_run (company_id, last_run)
select p.company_id, max(m.entered_at)::date
from product_average p
join average_member m on m.period = p.period and m.group_no = p.group_no
join company c on c.id = p.company_id and c.country = m.country
where p.category_id = 0
group by p.company_id;

-- Referrals are listed by the day shown, which is the pharmacy's own, then by the time.
create index trial_referral_shown on trial_referral (recruiter_id, referred_on, referred_at, consent_id) include (location_id) where withdrawn_at is null;

-- A request of support for an upload counts as later than all uploads before it, also after the clock was set back.
grant insert (created_at) on upload to pillar_staff;

-- contract: 0.1.0 runs on: it sorts by the time, without this index while both run
drop index trial_referral_day;
