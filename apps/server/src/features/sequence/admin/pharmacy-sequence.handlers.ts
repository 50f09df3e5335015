import { type AnswerOf, type contract, type InputOf, Refusal } from '@pillar/contract'
import { isRestorable, RESTORE_DAYS } from '@pillar/domain/company/removal'
import { formatDay } from '@pillar/domain/time/day'
import { localTime } from '@pillar/domain/time/local-time'
import { noteChange } from '../../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx, tenantTx } from '../../../api/context.ts'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import { refuseStale } from '../../../api/version.ts'
import { withoutNestedLoops } from '../../../db/scope.ts'
import { textFrame } from '../../cohort/message-text.ts'
import { refuseUnsendable } from '../../cohort/sendable.ts'
import { type MessagingPharmacy, messagingPharmacies } from '../../location/messaging-pharmacy.queries.ts'
import { setTemplateActive } from '../../template/template.queries.ts'
import { lockSequences } from '../enrolment.queries.ts'
import { adoptSequence } from '../recommended.queries.ts'
import { insertSequence, refuseTakenTitle } from '../sequence.queries.ts'
import { replanSequence, setSequenceActive, stopRuns } from '../sequence-state.queries.ts'
import {
  findPharmacySequence,
  listPharmacySequences,
  type PharmacySequenceRow,
  readSequence,
  type SequenceRow,
} from './pharmacy-sequence.queries.ts'
import { checkedDraft, draftOf, given, NOTHING, noted, withDays } from './pharmacy-sequence-draft.ts'
import {
  lockPharmacySequence,
  recommendationIdOf,
  saveFollowUps,
  sequenceIdOf,
  setSequenceRemoved,
  templateIdsOf,
  updatePharmacySequence,
} from './pharmacy-sequence-write.queries.ts'
import { eventIdOf } from './sequence-recommendation-admin.queries.ts'
import { timeLineOf } from './time-line.ts'

type Calls = typeof contract.sequenceAdmin

export const sequenceAdminHandlers: HandlersOf<Calls> = {
  async search(input, context) {
    const { places, page } = await listPharmacySequences(staffTx(context), input, context.services.now())
    return { results: places.map((place) => ({ ...place, sequences: place.sequences.map(shown) })), ...page }
  },

  info: async ({ id }, context) => shown(await findPharmacySequence(staffTx(context), id)),

  async stats({ id }, context) {
    const tx = tenantTx(context)
    const pharmacy = await pharmacyOf(context)
    const sequence = await sequenceIdOf(tx, pharmacy.id, id)
    return withoutNestedLoops(tx, () => timeLineOf(tx, pharmacy, sequence, context.services.now()))
  },

  create,
  edit,

  async remove({ id }, context) {
    const tx = tenantTx(context)
    const now = context.services.now()
    const { id: locationId } = await pharmacyOf(context)
    await lockSequences(tx, locationId)
    const found = await lockPharmacySequence(tx, locationId, id)
    const cancelled = await setSequenceActive(tx, locationId, found.id, false, now)
    await setSequenceRemoved(tx, locationId, found, now)
    return { removed: true, cancelled }
  },

  async restore({ id }, context) {
    const tx = tenantTx(context)
    const { id: locationId } = await pharmacyOf(context)
    await lockSequences(tx, locationId)
    const found = await lockPharmacySequence(tx, locationId, id, true)
    if (!found.removed_at || !isRestorable(found.removed_at, context.services.now())) {
      throw new Refusal(
        'conflict',
        `${found.name} was removed more than ${RESTORE_DAYS} days ago. Please create it again.`,
      )
    }
    await setSequenceRemoved(tx, locationId, found, null)
    return { restored: true }
  },
}

/** A recommended sequence with the company's copies of its templates, unless separate follow-ups are given. */
async function create(input: InputOf<Calls['create']>, context: Context): Promise<AnswerOf<Calls['create']>> {
  const { location_id: _, sequence_recommendation_id: recommendation, ...rest } = input
  const tx = tenantTx(context)
  const now = context.services.now()
  const caller = callerOf(context)
  const pharmacy = await pharmacyOf(context)
  const fields = withDays(rest, pharmacy.time_zone)
  await lockSequences(tx, pharmacy.id)
  const uuid = uuidv7()
  if (recommendation && !fields.follow_ups) {
    const by = { companyId: caller.companyId, loginId: caller.loginId, now }
    const more = { active: false, ...given(fields), uuid }
    const adopted = await adoptSequence(tx, pharmacy.id, recommendation, by, more)
    if (fields.active) refuseTexts(await readSequence(tx, pharmacy.id, adopted), pharmacy, context)
    return { id: uuid }
  }
  const draft = checkedDraft(NOTHING, fields)
  const templates = await templateIdsOf(
    tx,
    draft.follow_ups.map((one) => one.template_id),
  )
  if (draft.active) for (const id of templates) await setTemplateActive(tx, id, true, now)
  const sequence = {
    ...{ uuid, title: draft.title, description: draft.description, preferred: draft.preferred_communication_method },
    ...{ budgetCents: draft.budget_cents, startDay: draft.start_date, endDay: draft.end_date, active: draft.active },
    ...{ marketingConsent: draft.marketing_consent, healthOutreachConsent: draft.health_outreach_consent },
    event: { id: await eventIdOf(tx, draft.sequence_event_id) },
    recommendationId: recommendation ? await recommendationIdOf(tx, recommendation) : null,
    followUps: draft.follow_ups.map(({ days_after }, index) => ({
      ...{ days_after, follow_up_order: index + 1, templateId: templates[index]! },
    })),
  }
  const made = await refuseTakenTitle(draft.title, () => insertSequence(tx, pharmacy.id, sequence, now))
  if (draft.active) refuseTexts(await readSequence(tx, pharmacy.id, made), pharmacy, context)
  return { id: uuid }
}

async function edit(input: InputOf<Calls['edit']>, context: Context): Promise<AnswerOf<Calls['edit']>> {
  const { id, location_id: _, version, sequence_recommendation_id: recommendation, ...rest } = input
  const tx = tenantTx(context)
  const now = context.services.now()
  const pharmacy = await pharmacyOf(context)
  const fields = withDays(rest, pharmacy.time_zone)
  await lockSequences(tx, pharmacy.id)
  const found = await lockPharmacySequence(tx, pharmacy.id, id)
  refuseStale(found, version)
  const before = await readSequence(tx, pharmacy.id, found.id)
  const draft = checkedDraft(draftOf(before), fields)
  const wanted =
    recommendation === undefined ? before.sequence_recommendation?.sequence_recommendation_id : recommendation
  const columns = {
    ...{ title: draft.title, description: draft.description, active: draft.active },
    preferred_communication_method: draft.preferred_communication_method,
    sequence_event_id: await eventIdOf(tx, draft.sequence_event_id),
    sequence_recommendation_id: wanted ? await recommendationIdOf(tx, wanted) : null,
    ...{ budget_cents: draft.budget_cents, start_day: draft.start_date, end_day: draft.end_date },
    ...{ marketing_consent: draft.marketing_consent, health_outreach_consent: draft.health_outreach_consent },
  }
  const next = await updatePharmacySequence(tx, pharmacy.id, found.id, columns, now)
  let cancelled = fields.follow_ups ? await changeFollowUps(context, pharmacy, found.id, draft.follow_ups) : 0
  if (found.active && !draft.active) cancelled += await stopRuns(tx, { sequence_id: found.id }, now)
  const after = await readSequence(tx, pharmacy.id, found.id)
  if (draft.active) refuseTexts(after, pharmacy, context)
  if (!found.active && draft.active) await activateTemplates(context, after)
  noteChange(context, id, noted(before), noted(after))
  return { id, version: next, cancelled }
}

/** @throws Refusal invalid for a sequence with a text that cannot be sent */
function refuseTexts({ follow_ups }: SequenceRow, pharmacy: MessagingPharmacy, { services }: Context): void {
  const texts = follow_ups.map((one) => ({
    ...{ name: one.template, body: one.template_body, subject: one.template_subject, sms_template: one.sms_template },
  }))
  refuseUnsendable(texts, [pharmacy], textFrame(services), pharmacy.country)
}

/** The new days decide what comes next for patients part-way through. */
async function changeFollowUps(
  context: Context,
  pharmacy: MessagingPharmacy,
  sequenceId: number,
  wanted: ReturnType<typeof draftOf>['follow_ups'],
): Promise<number> {
  const tx = tenantTx(context)
  const now = context.services.now()
  const ids = await templateIdsOf(
    tx,
    wanted.map((one) => one.template_id),
  )
  const followUps = wanted.map(({ follow_up_id, days_after }, index) => ({
    ...{ uuid: follow_up_id ?? null, daysAfter: days_after, templateId: ids[index]! },
  }))
  const cancelled = await saveFollowUps(tx, pharmacy.id, sequenceId, followUps, now)
  await replanSequence(tx, pharmacy, sequenceId, formatDay(localTime(pharmacy.time_zone, now).day))
  return cancelled
}

async function activateTemplates(context: Context, { follow_ups }: SequenceRow): Promise<void> {
  const tx = tenantTx(context)
  const ids = await templateIdsOf(
    tx,
    follow_ups.map((one) => one.template_id),
  )
  for (const id of ids) await setTemplateActive(tx, id, true, context.services.now())
}

/** The pharmacy that the call reaches. */
async function pharmacyOf(context: Context): Promise<MessagingPharmacy> {
  const [pharmacy] = await messagingPharmacies(tenantTx(context), callerOf(context).scope.locationIds)
  if (!pharmacy) throw new Refusal('not_found', 'That pharmacy was not found.')
  return pharmacy
}

const shown = ({ budget_cents, removed_at, ...row }: PharmacySequenceRow) => ({
  ...row,
  budget: budget_cents === null ? null : budget_cents / 100,
  removed_at: removed_at?.toISOString() ?? null,
})
