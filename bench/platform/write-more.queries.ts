import { body, type Run, type Size, UUID, word } from './invented.queries.ts'

/** Sequences of pharmacies with two follow-ups each, and the recommended ones. Reads the temporary tables of `writePlatform`. */
export async function writeSequences(run: Run, size: Size): Promise<void> {
  await run(
    `insert into sequence_recommendation (uuid, title, sequence_event_id, published_at)
     select ${UUID}, ${word('n', 5)} || ' recommended sequence ' || n, (select min(id) from sequence_event) + n % 6, now() - n * interval '3 hours'
     from generate_series(1, 100) n`,
  )
  await run(
    `insert into sequence_recommendation_template (sequence_recommendation_id, template_recommendation_id, follow_up_order, days_after)
     select s.id, r.id, k, k * 7 from sequence_recommendation s, generate_series(1, 2) k cross join r
     where r.n = (s.id + k) % $1 on conflict do nothing`,
    [size.recommended],
  )
  await run(
    `insert into sequence (location_id, uuid, title, sequence_event_id, sequence_recommendation_id, active)
     select l.id, ${UUID}, ${word('n.n', 7)} || ' sequence ' || n.n, (select min(id) from sequence_event) + n.n % 6,
       (select min(id) from sequence_recommendation) + n.n % 100, false
     from generate_series(1, $1::int) n(n) join l on l.n = n.n % $2`,
    [size.sequences, size.pharmacies],
  )
  await run(
    `insert into follow_up (location_id, uuid, sequence_id, follow_up_order, days_after, template_id)
     select q.location_id, ${UUID}, q.id, k, k * 7, t.id
     from sequence q join l on l.id = q.location_id cross join generate_series(1, 2) k
     join t on t.company_id = l.company_id and t.nth = q.id % 11`,
  )
}

/** Recruiters, trials (one in ten counted at every pharmacy), and dashboards. */
export async function writeTrials(run: Run, size: Size): Promise<void> {
  await run(
    `insert into recruiter_provider (uuid, name, description, recruiter_or_provider, logo_url, phone, email, website, privacy_policy_url)
     select ${UUID}, ${word('n', 10)} || ' Research ' || n, 'Trials of medicines', case when n % 2 = 0 then 'recruiter' else 'provider' end,
       'https://bench.example/logo.png', '03 5550 0000', 'trials@bench.example', 'https://bench.example', 'https://bench.example/privacy'
     from generate_series(1, $1::int) n`,
    [size.recruiters],
  )
  await run(
    `insert into trial (uuid, name, eligibility_criteria, recruiter_id, provider_id, refer_rebate_cents, enroll_rebate_cents,
       sr_refer_rebate_cents, sr_enroll_rebate_cents, rebate_type, active)
     select ${UUID}, ${word('n', 13)} || ' trial ' || n, 'Aged 65 or over',
       (select min(id) from recruiter_provider where recruiter_or_provider = 'recruiter') + n % $2::int * 2,
       (select min(id) from recruiter_provider where recruiter_or_provider = 'provider') + n % $2::int * 2,
       2000, 10000, 500, 2500, 'refer', false
     from generate_series(1, $1::int) n`,
    [size.trials, Math.floor(size.recruiters / 2)],
  )
  await run(
    `insert into trial_location (location_id, trial_id, total_eligible, total_contacted, total_referred, total_enrolled, rebate_cents, sr_rebate_cents, counted_at)
     select l.id, t.id, 3 + (l.n * 7 + t.id) % 120, (l.n + t.id) % 40, l.n % 9, l.n % 4, l.n % 9 * 2000, l.n % 9 * 500, now()
     from trial t, l where t.id % 10 = 0`,
  )
  await run(
    `insert into dashboard (uuid, company_id, dashboard_id, name, dashboard_type, domain_url, created_at)
     select ${UUID}, c.id, ${UUID}, ${word('n.n', 16)} || ' dashboard ' || n.n, (array['Supplier', 'Advertiser', 'Industry Dashboard'])[1 + n.n % 3],
       'https://analytics.bench.example', now() - n.n * interval '5 hours'
     from generate_series(1, $1::int) n(n) join c on c.n = n.n % $2`,
    [size.dashboards, size.companies],
  )
}

/** Ended runs of campaigns and sequences, ten batches each: their counts and texts, without the messages. */
export async function writeMessages(run: Run, size: Size): Promise<void> {
  const runs = Math.max(20, Math.round(size.batches / 10))
  await run(
    `insert into message_run (uuid, company_id, context, campaign_id, sequence_id, state, created_at, starts_at, ended_at)
     select ${UUID}, coalesce(k.company_id, l.company_id), case when k.id is null then 'sequence' else 'campaign' end, k.id, q.id, 'done', at, at, at
     from generate_series(1, $1::int) n(n) cross join lateral (select now() - n.n * interval '25 minutes' as at) a
     left join (select id, company_id, row_number() over (order by id) - 1 as n from campaign) k on n.n % 4 > 0 and k.n = n.n % $2
     left join (select id, location_id, row_number() over (order by id) - 1 as n from sequence) q on n.n % 4 = 0 and q.n = n.n % $3
     left join location l on l.id = q.location_id`,
    [runs, size.campaigns, size.sequences],
  )
  await run(
    `insert into message_batch (location_id, uuid, run_id, company_id, channel, context, template_id, template_name, message_kind, body, created_at,
       num_patients, num_delivered, num_skipped, parts, cents, user_name)
     select l.id, ${UUID}, r.id, r.company_id, case when k % 2 = 0 then 'sms' else 'email' end, r.context, null, ${word('r.id', 2)} || ' reminder ' || r.id,
       'health_outreach', ${body('r.id')}, r.created_at + k * interval '1 second', 200, 180, 20, 180, 1440, 'Kim Lee'
     from message_run r cross join generate_series(1, 10) k
     left join sequence q on q.id = r.sequence_id
     join l on l.company_id = r.company_id and case when q.id is null then l.nth = k - 1 else l.id = q.location_id end`,
  )
}
