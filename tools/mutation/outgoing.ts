import { FEATURES, type Mutant, of } from './lines.ts'

const SENDING = `${FEATURES}/sending`
const RUN = `${FEATURES}/run`
const GATEWAYS = 'apps/server/src/gateways'
const CAMPAIGN = `${FEATURES}/campaign`
const FAKE_TESTS = `${FEATURES}/fake-patient/fake-patient.test.ts`
const OPTED_OUT_TESTS = `${SENDING}/opted-out.test.ts`
const TEST_PATIENT = 'testPatient: facts.test ? !(message.fake && message.confirmed) : message.fake,'

/** Lines that decide whether a message leaves, to whom, how often, and when a run stops. */
export const OUTGOING_MUTANTS: readonly Mutant[] = [
  ...of(`${SENDING}/lease.queries.ts`, `${SENDING}/claim.test.ts`, [
    ' and id = ${batch.id} and leased_by = ${worker}`.execute(system)',
    ' and id = ${batch.id}`.execute(system)',
  ]),
  ...of(
    `${SENDING}/claim.ts`,
    FAKE_TESTS,
    [TEST_PATIENT, 'testPatient: facts.test ? !message.fake : message.fake,'],
    [TEST_PATIENT, 'testPatient: facts.test ? !message.confirmed : message.fake,'],
    ["if (facts.test && message.choices[facts.channel].marketing.choice !== 'out')", 'if (facts.test)'],
  ),
  ...of(
    `${SENDING}/claim.ts`,
    `${SENDING}/sender.test.ts`,
    [TEST_PATIENT, 'testPatient: facts.test && !(message.fake && message.confirmed),'],
    ['facility: !answer && message.facility', 'facility: false'],
    [
      'if (reason === null) for (const key of keys) history.set',
      'if (reason !== null) for (const key of keys) history.set',
    ],
    ['if (!allowed || (facts.endsAt && allowed > facts.endsAt)) {', 'if (!allowed) {'],
    ['if (!free) await addHistory', 'if (free) await addHistory'],
    ["(contact ?? 'unusable') : contact", 'contact : contact'],
  ),
  ...of(`${SENDING}/claim.ts`, `${FEATURES}/sequence/recipients.test.ts`, [
    "if (facts.outreachToo && message.choices[facts.channel].health_outreach.choice === 'out') return 'opted_out' as const",
    '',
  ]),
  ...of(`${SENDING}/claim.ts`, `${CAMPAIGN}/approval/approval-sender.test.ts`, [
    'const goes = ready.filter((_, at) => !past[at])',
    'const goes = ready',
  ]),
  ...of(`${SENDING}/record.queries.ts`, `${SENDING}/hand-over.test.ts`, [
    ' or (b.stopped_at is not null and r.campaign_id is null) as run_over',
    ' as run_over',
  ]),
  ...of(
    `${SENDING}/claim.queries.ts`,
    [`${SENDING}/claim.test.ts`, `${SENDING}/sender.test.ts`],
    [".where('r.starts_at', '<=', now)\n    .select(['r.uuid as run_uuid'", ".select(['r.uuid as run_uuid'"],
    ['m.fake or coalesce(p.fake, false) as fake', 'm.fake as fake'],
    [
      "b.message_kind <> 'confirmation' and coalesce(p.contact_source",
      "b.message_kind = '' and coalesce(p.contact_source",
    ],
  ),
  ...of(`${SENDING}/claim.queries.ts`, `${FEATURES}/sequence/recipients.test.ts`, [
    "(q.health_outreach_consent or t.message_kind = 'health_outreach')",
    'q.health_outreach_consent',
  ]),
  ...of(`${SENDING}/claim.queries.ts`, FAKE_TESTS, [
    'where is_confirmed_contact(n.added_by, ${channel}, n.contact, ${now})',
    'where true',
  ]),
  // Invitations and follow-ups: who counts as invited, who starts a sequence again, and what its budget has left.
  ...of(`${FEATURES}/trial/invite.queries.ts`, `${FEATURES}/trial/invite.test.ts`, [
    "and m.run_id = ${runId} and m.state = 'queued'\n",
    'and m.run_id = ${runId}\n',
  ]),
  ...of(`${FEATURES}/trial/participant.queries.ts`, `${FEATURES}/trial/trial-count.test.ts`, [
    "p.state = 'eligible' and p.invited_at is null\n",
    "p.state = 'eligible'\n",
  ]),
  ...of(`${FEATURES}/referral/referral.queries.ts`, `${FEATURES}/referral/referral.test.ts`, [
    'where ${between(asked)} and r.withdrawn_at is null ${words',
    'where ${between(asked)} ${words',
  ]),
  ...of(`${FEATURES}/sequence/run.queries.ts`, `${FEATURES}/sequence/batch-stopped.test.ts`, [
    "in ('queued', 'sending', 'unknown'))",
    "in ('queued', 'sending'))",
  ]),
  ...of(`${FEATURES}/sequence/enrolment.queries.ts`, `${FEATURES}/sequence/batch-stopped.test.ts`, [
    'v.event_day - l.event_day >= ${',
    'v.event_day - l.event_day > ${',
  ]),
  ...of(
    `${FEATURES}/sequence/decide.ts`,
    `${FEATURES}/sequence/second-medicine.test.ts`,
    [' || run.taken[message.channel].has(message.contact)) return same', ') return same'],
    ['    run.taken[message.channel].add(message.contact)\n    spent', '    spent'],
    ['    spent.set(one.sequence_id, total + cents)\n', ''],
    ['    if (plannedAt) await wakeBatch(tx, pharmacy.id, message.batch_id, plannedAt)\n', ''],
  ),
  ...of(
    `${FEATURES}/sequence/run.queries.ts`,
    `${FEATURES}/sequence/batch-stopped.test.ts`,
    ['and message_kind = ${text.message_kind} and stopped_at is null', 'and message_kind = ${text.message_kind}'],
    ['(m.sent_at is not null or ${standing().state}', '(${standing().state}'],
  ),
  ...of(`${FEATURES}/inbound/events.ts`, `${FEATURES}/inbound/plain-event.test.ts`, [
    'error instanceof KeysAway || passes(reason)',
    'error instanceof KeysAway',
  ]),
  ...of(`${FEATURES}/inbound/events.ts`, `${FEATURES}/inbound/keys-away.test.ts`, [
    'error instanceof KeysAway || passes(reason)',
    'passes(reason)',
  ]),
  // A text is priced to the letter.
  ...of(`${FEATURES}/cohort/count/count.queries.ts`, `${RUN}/selection.test.ts`, [
    '(f.first_name_units + f.last_name_units - 1)::smallint',
    '(f.first_name_units + f.last_name_units)::smallint',
  ]),
  ...of(
    `${SENDING}/record.queries.ts`,
    `${SENDING}/answers.test.ts`,
    ["r.state in ('done', 'failed') or (b.stopped_at", '(b.stopped_at'],
    [
      "if (!mayBecome(message.state, 'failed') || message.sent_at) return null",
      "if (!mayBecome(message.state, 'failed')) return null",
    ],
  ),
  ...of(
    `${SENDING}/reconcile.ts`,
    `${SENDING}/answers.test.ts`,
    [
      'row.attempts === asked.attempts && row.planned_at?.getTime() === asked.plannedAt.getTime()',
      'row.attempts === asked.attempts',
    ],
    ["if (row.state !== 'unknown' || !same) return null", "if (row.state !== 'unknown') return null"],
    ['message.gateway === gateway.name && message.contact !== null', 'message.contact !== null'],
    ['return requests.map(() => UNSURE)', "return requests.map(() => ({ kind: 'absent' }))"],
    ['if (row.attempts >= MAX_ATTEMPTS)', 'if (row.attempts > MAX_ATTEMPTS)'],
    ['return unknownChange(row, age > ASK_SECONDS ? null : wait)', 'return unknownChange(row, wait)'],
  ),
  ...of(`${SENDING}/reconcile.queries.ts`, `${SENDING}/rule/wrong-clock.test.ts`, [
    " or m.lease_until > clock_timestamp() + interval '2 hours')",
    ')',
  ]),
  ...of(`${SENDING}/reconcile.ts`, `${SENDING}/rule/wrong-clock.test.ts`, [
    '  if ((services.steadyFor?.() ?? Number.POSITIVE_INFINITY) < CLAIM_MS) return 0\n',
    '',
  ]),
  ...of(
    `${SENDING}/hand-over.ts`,
    `${SENDING}/answers.test.ts`,
    [
      "if (!answer) return unknown('The gateway did not answer for this message')",
      "if (!answer) return { kind: 'later', reason: '', seconds: 0 }",
    ],
    ['const reason = repeats(answer.reason, body) ?', "const reason = body === '' ?"],
    ['return { ...answer, reason: withoutContact(reason, contact) }', 'return { ...answer, reason }'],
  ),
  ...of(
    `${RUN}/run-state.queries.ts`,
    `${RUN}/run.test.ts`,
    ['and b.stopped_at is null ${atLocations(locationIds)}', 'and b.stopped_at is null'],
    ['and b.stopped_at is not null ${atLocations(locationIds)}', 'and b.stopped_at is not null'],
    ['  await lockRun(tx, found.id)\n', ''],
  ),
  ...of(`${RUN}/run-state.queries.ts`, `${CAMPAIGN}/stop.test.ts`, [
    "run.starts_at > now ? 'holding' : 'sending'",
    "'sending'",
  ]),
  ...of(
    `${RUN}/run-write.queries.ts`,
    `${RUN}/run.test.ts`,
    ["where id = ${runId} and state = 'preparing'`.execute", 'where id = ${runId}`.execute'],
    ["return run?.state === 'holding' || run?.state === 'stopped'", 'return run !== undefined'],
  ),
  ...of(
    `${CAMPAIGN}/activate.ts`,
    `${CAMPAIGN}/activate.test.ts`,
    ["if (campaign.active && campaign.run_state === 'done')", 'if (campaign.active && !campaign.run_state)'],
    ['messages <= expected * GROWTH', 'messages <= expected * GROWTH * 2'],
    ['if (wanted === null || wanted.includes(id)) await', 'await'],
    [
      'endsAt: end === null ? null : dayBounds(zone, end).end',
      'endsAt: end === null ? null : dayBounds(zone, end).start',
    ],
  ),
  ...of('apps/server/src/features/cohort/sendable.ts', `${CAMPAIGN}/campaign.test.ts`, ['  refuseHoles(texts)\n', '']),
  ...of(`${RUN}/run-write.queries.ts`, `${RUN}/prepare-run.test.ts`, [
    "r.state in ('preparing', 'stopped')`.execute(tx)\n  return rows[0] ?? null",
    "r.state = 'preparing'`.execute(tx)\n  return rows[0] ?? null",
  ]),
  // A process that slept, or a database that was restored twice, must not send what was sent meanwhile.
  ...of(
    'apps/server/src/gateways/hand-over.ts',
    `${SENDING}/hand-over.test.ts`,
    [
      "kind: 'unknown', reason: `The gateway's answer could",
      "kind: 'later', seconds: 1, reason: `The gateway's answer could",
    ],
    ["EACH_MS, { kind: 'unknown',", "EACH_MS, { kind: 'later', seconds: 1,"],
  ),
  ...of('apps/server/src/gateways/http-call.ts', 'apps/server/src/gateways/http-call.test.ts', [
    'if (performance.now() - began > CONNECT_MS) return void late()\n',
    '',
  ]),
  ...of(
    `${SENDING}/restore/set-aside.queries.ts`,
    [`${SENDING}/restore/set-aside.test.ts`, `${SENDING}/restore/restored.test.ts`],
    ['set done_at = null where since = ${since} returning', 'set done_at = null returning'],
    ['where done_at is null order by', 'where false order by'],
    ['clock_timestamp() where since = ${since}`', 'clock_timestamp()`'],
    ['select max(until) as until', 'select min(until) as until'],
  ),
  ...of(
    `${SENDING}/restore/set-aside.queries.ts`,
    `${SENDING}/restore/lost-ids.test.ts`,
    ["array['message', 'patient']", "array['patient']"],
    ['    if (!known)\n', '    if (known)\n'],
  ),
  // Somebody who opts out after the claim gets nothing, whichever gateway takes it, and nobody else's answer counts for them.
  ...of(
    `${SENDING}/opted-out.ts`,
    OPTED_OUT_TESTS,
    ['  await look()\n  let looking', '  let looking'],
    ['for (const id of found) out.add', 'for (const id of found.slice(0, 1)) out.add'],
    ['        looking = false', '        looking = true'],
    ['end: () => clearInterval(timer)', 'end: () => {}'],
  ),
  ...of(`${SENDING}/sender.ts`, OPTED_OUT_TESTS, [
    '    return null\n  })\n  // While',
    '    return { has: () => false, end: () => {} }\n  })\n  // While',
  ]),
  ...of(
    `${SENDING}/hand-over.ts`,
    OPTED_OUT_TESTS,
    [
      'whole.messages.map(({ id }) => answers.get(id) ?? WITHDRAWN)',
      'whole.messages.map((_, at) => taken[at] ?? WITHDRAWN)',
    ],
    ['    })),\n    out.has,\n', '    })),\n'],
    ['    }),\n    out.has,\n', '    }),\n'],
  ),
  ...of(`${RUN}/cancel/skip.queries.ts`, OPTED_OUT_TESTS, [
    "when 'sms' then c.sms_marketing else",
    "when 'email' then c.sms_marketing else",
  ]),
  ...of(
    `${GATEWAYS}/email/smtp-options.ts`,
    [`${GATEWAYS}/email/bulk-email-smtp.test.ts`, `${GATEWAYS}/email/silence.test.ts`],
    ['rejectUnauthorized: secure || requireTLS', 'rejectUnauthorized: secure'],
    ["REFUSED.includes(code ?? '') && !ofUs", "REFUSED.includes(code ?? '')"],
  ),
  ...of(
    `${GATEWAYS}/http-call.ts`,
    [`${GATEWAYS}/http-call.test.ts`, `${GATEWAYS}/email/silence.test.ts`],
    ['socket instanceof TLSSocket && socket.authorized', 'socket instanceof TLSSocket'],
  ),
  ...of(`${GATEWAYS}/email/bulk-email-smtp.ts`, `${GATEWAYS}/email/bulk-email-smtp.test.ts`, [
    'limitMs), isWithdrawn)',
    'limitMs))',
  ]),
  ...of(`${GATEWAYS}/sms/sms-http.ts`, `${GATEWAYS}/sms/sms-http.test.ts`, ['now()), isWithdrawn)', 'now()))']),
  ...of(`${GATEWAYS}/sms/sms-twilio.ts`, `${GATEWAYS}/sms/sms-twilio.test.ts`, ['now()), isWithdrawn)', 'now()))']),
  // A batch is put off or skipped without what it has sent.
  ...of(`${SENDING}/rule/replan.queries.ts`, `${SENDING}/sender.test.ts`, [
    "batch_id = ${batch.id} and state = 'queued'\n        and planned_at",
    'batch_id = ${batch.id}\n        and planned_at',
  ]),
]
