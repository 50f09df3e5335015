-- 60 day dispensing (decision 044): what uptake of 60-day scripts would cost a pharmacy, without any uptake in what is stored.

-- The lists an operator has put in place of those that come with Pillar; the newest of a kind counts, and none is ever changed.
create table sixty_day_list (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('items', 'fees', 'shortages', 'uptake')),
  -- the file as it was given, checked before
  content text not null,
  row_count integer not null,
  source text not null,
  loaded_by text not null,
  loaded_at timestamptz not null
);
grant select on sixty_day_list to pillar_app;
grant select, insert on sixty_day_list to pillar_system;

-- Which days a pharmacy's sums are about, and what they were made with: where any of it differs, they are made again.
create table sixty_day_base (
  location_id bigint primary key,
  from_day date not null,
  to_day date not null,
  -- its data cover all of the base
  complete boolean not null,
  -- ids of the lists used; 0 for those that come with Pillar
  items_list bigint not null,
  shortages_list bigint not null,
  computed_at timestamptz not null
);

-- Sums of a pharmacy by tranche (0 all), category and subcategory; category 0 is the total. Supplies in 30-day equivalents, money in cents.
create table sixty_day_cell (
  location_id bigint not null,
  tranche smallint not null,
  category_id smallint not null,
  subcategory_id integer not null,
  scripts bigint not null,
  patients bigint not null,
  visits bigint not null,
  eligible_supplies bigint not null,
  sixty_supplies bigint not null,
  affected_scripts bigint not null,
  affected_patients bigint not null,
  female_patients bigint not null,
  male_patients bigint not null,
  affected_cents bigint not null,
  affected_visits bigint not null,
  script_pairs bigint not null,
  visit_pairs bigint not null,
  shortage_patients bigint not null,
  shortage_scripts bigint not null,
  primary key (location_id, tranche, category_id, subcategory_id)
);
select pillar_protect('sixty_day_base', 'location', '{pillar_report}');
select pillar_protect('sixty_day_cell', 'location', '{pillar_report}');
grant select, insert, update, delete on sixty_day_base, sixty_day_cell to pillar_app;
grant select on sixty_day_base, sixty_day_cell to pillar_report;

-- What the Guild sees: written once for a base and never changed, of states and postcodes that at least three pharmacies stand behind.
create table guild_sixty_day (
  to_day date primary key,
  from_day date not null,
  pharmacies integer not null,
  shortages boolean not null,
  published_at timestamptz not null
);
-- Who stands behind it. An empty postcode is the rest of a state, which is not shown.
create table guild_sixty_day_member (
  to_day date not null,
  location_id bigint not null,
  state text not null,
  postcode text not null,
  primary key (to_day, location_id)
);
select pillar_protect('guild_sixty_day_member', 'nobody', '{pillar_system,pillar_report}');
grant select, insert on guild_sixty_day_member to pillar_system;
grant select on guild_sixty_day_member to pillar_report;
-- Rows of a state (empty postcode) and of its shown postcodes. Columns that fewer than three pharmacies stand behind are not there.
create table guild_sixty_day_cell (
  to_day date not null,
  state text not null,
  postcode text not null,
  tranche smallint not null,
  category_id smallint not null,
  subcategory_id integer not null,
  pharmacies integer not null,
  scripts bigint not null,
  patients bigint not null,
  visits bigint not null,
  eligible_supplies bigint not null,
  sixty_supplies bigint not null,
  affected_scripts bigint not null,
  affected_patients bigint not null,
  female_patients bigint not null,
  male_patients bigint not null,
  affected_cents bigint not null,
  affected_visits bigint not null,
  script_pairs bigint not null,
  visit_pairs bigint not null,
  shortage_patients bigint not null,
  shortage_scripts bigint not null,
  primary key (to_day, tranche, category_id, state, postcode, subcategory_id)
);
grant select on guild_sixty_day, guild_sixty_day_cell to pillar_app;
grant select, insert on guild_sixty_day, guild_sixty_day_cell to pillar_system;

-- Pharmacies of Australia that may enter: not removed, not opted out, with sums over all of the base.
create function guild_sixty_day_candidates(base_from date, base_to date)
returns table (location_id bigint, state text, postcode text)
language sql stable security definer set search_path = public as $$
  select l.id, l.region, l.postcode
  from sixty_day_base b join location l on l.id = b.location_id
  where l.country = 'AU' and l.removed_at is null and not l.no_guild_consent
    and b.complete and b.from_day = base_from and b.to_day = base_to
$$;

-- The sums of the members by area and cell, and up to three of those who stand behind each kind of figure.
create function guild_sixty_day_figures(base_to date)
returns table (state text, postcode text, tranche smallint, category_id smallint, subcategory_id integer, scripts numeric, patients numeric, visits numeric, eligible_supplies numeric, sixty_supplies numeric, affected_scripts numeric, affected_patients numeric, female_patients numeric, male_patients numeric, affected_cents numeric, affected_visits numeric, script_pairs numeric, visit_pairs numeric, shortage_patients numeric, shortage_scripts numeric,
  dispensing bigint[], affected bigint[])
language sql stable security definer set search_path = public as $$
  select m.state, m.postcode, c.tranche, c.category_id, c.subcategory_id, sum(c.scripts), sum(c.patients), sum(c.visits), sum(c.eligible_supplies), sum(c.sixty_supplies), sum(c.affected_scripts), sum(c.affected_patients), sum(c.female_patients), sum(c.male_patients), sum(c.affected_cents), sum(c.affected_visits), sum(c.script_pairs), sum(c.visit_pairs), sum(c.shortage_patients), sum(c.shortage_scripts),
         (array_agg(c.location_id order by c.location_id) filter (where c.scripts > 0))[1:3],
         (array_agg(c.location_id order by c.location_id) filter (where c.affected_scripts > 0))[1:3]
  from guild_sixty_day_member m join sixty_day_cell c on c.location_id = m.location_id
  where m.to_day = base_to
  group by m.state, m.postcode, c.tranche, c.category_id, c.subcategory_id
$$;

-- Up to three pharmacies whose affected scripts differ between all tranches and the first: taking one from the other leaves theirs.
create function guild_sixty_day_between(base_to date)
returns table (state text, postcode text, category_id smallint, subcategory_id integer, differing bigint[])
language sql stable security definer set search_path = public as $$
  select m.state, m.postcode, a.category_id, a.subcategory_id, (array_agg(a.location_id order by a.location_id))[1:3]
  from guild_sixty_day_member m
  join sixty_day_cell a on a.location_id = m.location_id and a.tranche = 0
  left join sixty_day_cell f on f.location_id = a.location_id and f.tranche = 1 and f.category_id = a.category_id
    and f.subcategory_id = a.subcategory_id
  where m.to_day = base_to and (a.affected_scripts <> coalesce(f.affected_scripts, 0) or a.eligible_supplies <> coalesce(f.eligible_supplies, 0))
  group by m.state, m.postcode, a.category_id, a.subcategory_id
$$;

-- Pharmacies of Australia whose sums are missing or were made for other days or with other lists.
create function sixty_day_stale(base_from date, base_to date, items bigint, shortages bigint)
returns table (location_id bigint, company_id bigint)
language sql stable security definer set search_path = public as $$
  select l.id, l.company_id from location l left join sixty_day_base b on b.location_id = l.id
  where l.country = 'AU' and l.removed_at is null and l.data_to is not null
    and (b.location_id is null or b.from_day <> base_from or b.to_day <> base_to or b.items_list <> items or b.shortages_list <> shortages)
  order by l.id
$$;

grant create on schema public to pillar_report;
do $$
declare f text;
begin
  foreach f in array array['guild_sixty_day_candidates(date, date)', 'guild_sixty_day_figures(date)', 'guild_sixty_day_between(date)',
    'sixty_day_stale(date, date, bigint, bigint)'] loop
    execute format('alter function %s owner to pillar_report', f);
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to pillar_system', f);
  end loop;
end $$;
revoke create on schema public from pillar_report;

