-- The Guild sees no figure that one pharmacy makes more than half of (decision 044): what stands behind each figure is read with how much.
drop function guild_sixty_day_figures(date);
drop function guild_sixty_day_between(date);

-- Each candidate's own totals, by tranche: which places may be shown depends on them.
create function guild_sixty_day_totals(base_from date, base_to date)
returns table (location_id bigint, tranche smallint, amounts bigint[])
language sql stable security definer set search_path = public as $$
  select c.location_id, c.tranche, array[c.scripts, c.patients, c.visits, c.eligible_supplies, c.sixty_supplies, c.affected_scripts, c.affected_patients, c.female_patients, c.male_patients, c.affected_cents, c.affected_visits, c.script_pairs, c.visit_pairs, c.shortage_patients, c.shortage_scripts]
  from guild_sixty_day_candidates(base_from, base_to) k
  join sixty_day_cell c on c.location_id = k.location_id and c.category_id = 0 and c.subcategory_id = 0
$$;

-- The sums of the members by area and cell.
create function guild_sixty_day_figures(base_to date)
returns table (state text, postcode text, tranche smallint, category_id smallint, subcategory_id integer, scripts numeric, patients numeric, visits numeric, eligible_supplies numeric, sixty_supplies numeric, affected_scripts numeric, affected_patients numeric, female_patients numeric, male_patients numeric, affected_cents numeric, affected_visits numeric, script_pairs numeric, visit_pairs numeric, shortage_patients numeric, shortage_scripts numeric)
language sql stable security definer set search_path = public as $$
  select m.state, m.postcode, c.tranche, c.category_id, c.subcategory_id, sum(c.scripts), sum(c.patients), sum(c.visits), sum(c.eligible_supplies), sum(c.sixty_supplies), sum(c.affected_scripts), sum(c.affected_patients), sum(c.female_patients), sum(c.male_patients), sum(c.affected_cents), sum(c.affected_visits), sum(c.script_pairs), sum(c.visit_pairs), sum(c.shortage_patients), sum(c.shortage_scripts)
  from guild_sixty_day_member m join sixty_day_cell c on c.location_id = m.location_id
  where m.to_day = base_to
  group by m.state, m.postcode, c.tranche, c.category_id, c.subcategory_id
$$;

-- Who stands behind a kind of figure of an area and column: all of it, and the three pharmacies with most of it. Scope 0 and 1 are all tranches
-- and the first, 2 what they differ by: whoever takes one from the other has it. The total's kinds are all sums, a column's those a table shows.
create function guild_sixty_day_behind(base_to date)
returns table (state text, postcode text, category_id smallint, subcategory_id integer, scope integer, kind text, total numeric, pharmacies bigint[],
  amounts numeric[])
language sql stable security definer set search_path = public as $$
  with kinds as (
    select m.state, m.postcode, c.location_id, c.category_id, c.subcategory_id, c.tranche::int as scope, k.kind, k.amount
    from guild_sixty_day_member m join sixty_day_cell c on c.location_id = m.location_id
    cross join lateral (values ('visits', c.visits), ('eligible_supplies', c.eligible_supplies), ('sixty_supplies', c.sixty_supplies),
      ('scripts', c.scripts), ('patients', c.patients), ('affected_scripts', c.affected_scripts),
      ('affected_patients', c.affected_patients), ('female_patients', c.female_patients), ('male_patients', c.male_patients),
      ('affected_cents', c.affected_cents), ('affected_visits', c.affected_visits), ('script_pairs', c.script_pairs),
      ('visit_pairs', c.visit_pairs), ('shortage_patients', c.shortage_patients), ('shortage_scripts', c.shortage_scripts)) k(kind, amount)
    where m.to_day = base_to and (c.category_id = 0 or k.kind not in ('visits', 'eligible_supplies', 'sixty_supplies'))
  ), scoped as (
    select * from kinds where scope in (0, 1)
    union all
    select state, postcode, location_id, category_id, subcategory_id, 2, kind, sum(case scope when 0 then amount else -amount end)
    from kinds where scope in (0, 1)
    group by state, postcode, location_id, category_id, subcategory_id, kind
  )
  select state, postcode, category_id, subcategory_id, scope, kind, sum(abs(amount)),
         (array_agg(location_id order by abs(amount) desc, location_id))[1:3],
         (array_agg(abs(amount) order by abs(amount) desc, location_id))[1:3]
  from scoped where amount <> 0
  group by state, postcode, category_id, subcategory_id, scope, kind
$$;

grant create on schema public to pillar_report;
do $$
declare f text;
begin
  foreach f in array array['guild_sixty_day_totals(date, date)', 'guild_sixty_day_figures(date)', 'guild_sixty_day_behind(date)'] loop
    execute format('alter function %s owner to pillar_report', f);
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to pillar_system', f);
  end loop;
end $$;
revoke create on schema public from pillar_report;
