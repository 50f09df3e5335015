import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { HELD_REASONS, type HeldReason, reasonText } from '@pillar/domain/cohort/held-back'
import { CHANNELS } from '@pillar/domain/consent/consent'
import { startsAt } from '@pillar/domain/message/message-state'
import { ratePerMinute } from '@pillar/domain/message/sending-rules'
import { smsCents } from '@pillar/domain/message/sms-text'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { type CalendarLoad, finishTime } from '../sending/rule/finish-time.ts'
import { type Cohort, firstFrom } from './cohort-question.ts'
import type { CohortGroup } from './count/alike.queries.ts'
import { countCohort, namesOf } from './count/count.queries.ts'
import {
  exactCost,
  nameUse,
  renderEmail,
  renderText,
  type TextCost,
  type TextFrame,
  textCosts,
  textFrame,
  tippingWords,
  withLinks,
} from './message-text.ts'
import { GOES } from './selection.queries.ts'
import { forecast, type SendWindow } from './send-window.ts'
import { blankFields } from './sendable.ts'
import { refusedSenders, unverifiedSenders } from './sender.queries.ts'

type Channel = 'sms' | 'email'

/** One side of the ledger while it is summed: reasons by their index in HELD_REASONS. */
class Side {
  selected = 0
  goes = 0
  messages = 0
  parts = 0
  cents = 0
  readonly held = HELD_REASONS.map(() => 0)

  person(reason: number, count: number): void {
    this.selected += count
    if (reason === GOES) this.goes += count
    else this.held[reason]! += count
  }

  texts(messages: number, parts: number): void {
    this.messages += messages
    this.parts += parts * messages
    this.cents += smsCents(parts) * messages
  }

  answer(words: (reason: HeldReason) => string) {
    const reasons = HELD_REASONS.flatMap((reason, at) =>
      this.held[at] ? [{ reason, text: words(reason), count: this.held[at] }] : [],
    )
    const held_back = reasons.reduce((sum, one) => sum + one.count, 0)
    const { selected, goes, messages, parts, cents } = this
    return { selected, will_receive: goes, held_back, reasons, messages, parts, cents }
  }
}

/** The word for a reason when several channels share it. */
const PERSON_WORDS: Partial<Record<HeldReason, string>> = {
  no_consent: 'No consent',
  no_contact: 'No mobile number or email address',
  invalid_contact: 'Invalid mobile number or email address',
  unreachable: 'Number not in service, or no such email address',
  duplicate_contact: 'Same mobile or email as someone already counted',
}

const tally = <K>(into: Map<K, number>, key: K, count: number) => into.set(key, (into.get(key) ?? 0) + count)

/**
 * The held-back ledger of a cohort with its exact cost. A person receives if any channel sends; otherwise the person's one reason is the
 * first in HELD_REASONS among those of the channels. Narrows the transaction's scope to the chosen pharmacies.
 */
export async function forecastCohort(
  tx: Tx,
  services: Services,
  cohort: Cohort,
  window: SendWindow = { from: null, until: null },
): Promise<CohortForecast> {
  const { question, pharmacies, sms, email } = cohort
  const frame = textFrame(services)
  const uses = sms.map((text) => nameUse(text.body, pharmacies, frame))
  const groups = pharmacies.length > 0 ? await countCohort(tx, question, uses) : []
  const costs = await costsOf(tx, cohort, groups, uses, frame)
  const texting = textingOf(cohort, groups)
  const unverified = await unverifiedSenders(tx, texting, frame.defaultSender)
  const refused = refusedSenders(texting, frame.defaultSender)
  const channels = CHANNELS.filter((channel) => (channel === 'sms' ? sms : email).length > 0)
  const { total, byPharmacy, byChannel, byParts, tipping } = addUp(channels, pharmacies, groups, costs)
  const words = (reason: HeldReason) =>
    channels.length === 1 ? reasonText(reason, channels[0]!) : (PERSON_WORDS[reason] ?? reasonText(reason, 'sms'))
  return {
    counted_at: question.now.toISOString(),
    ...total.answer(words),
    channels: channels.map((channel) => ({
      channel,
      ...byChannel.get(channel)!.answer((reason) => reasonText(reason, channel)),
      by_parts:
        channel === 'sms'
          ? [...byParts].sort(([a], [b]) => a - b).map(([parts, messages]) => ({ parts, messages }))
          : [],
      tipping:
        channel === 'sms'
          ? [...tipping].sort(([, a], [, b]) => b - a).map(([what, messages]) => ({ what, messages }))
          : [],
    })),
    pharmacies: pharmacies
      .map((one) => ({
        pharmacy_id: one.uuid,
        pharmacy_name: one.name,
        ...byPharmacy.get(one.id)!.answer(words),
        data_to: one.data_to,
        unverified_sender: unverified.get(one.id) ?? null,
        refused_sender: refused.get(one.id) ?? null,
        blank_fields: byPharmacy.get(one.id)!.goes > 0 ? blankFields([...sms, ...email], one) : [],
      }))
      .sort((a, b) => a.pharmacy_name.localeCompare(b.pharmacy_name)),
    ...timesOf(services, cohort, groups, window),
    ...forecast(cohort, groups, window),
    samples: samplesOf(cohort, groups, frame),
  }
}

/** The sums of a cohort's groups: altogether, by pharmacy and by channel; and its texts by their parts, and by what costs one part more. */
function addUp(
  channels: readonly Channel[],
  pharmacies: Cohort['pharmacies'],
  groups: readonly CohortGroup[],
  costs: Awaited<ReturnType<typeof costsOf>>,
) {
  const total = new Side()
  const byPharmacy = new Map(pharmacies.map((one) => [one.id, new Side()]))
  const byChannel = new Map<Channel, Side>(channels.map((channel) => [channel, new Side()]))
  const byParts = new Map<number, number>()
  const tipping = new Map<string, number>()
  groups.forEach((group, at) => {
    const own = byPharmacy.get(group.location_id)!
    const codes = channels.length > 0 ? channels.map((channel) => group[channel]) : [group.sms]
    for (const side of [total, own]) side.person(Math.min(...codes), group.patients)
    for (const channel of channels) {
      const side = byChannel.get(channel)!
      side.person(group[channel], group.patients)
      if (group[channel] !== GOES) continue
      const texts = channel === 'sms' ? costs[at]! : [{ cost: { parts: 0, tipping: null }, messages: group.patients }]
      for (const { cost, messages } of texts) {
        for (const one of [total, own, side]) one.texts(messages, cost.parts)
        if (channel === 'sms') tally(byParts, cost.parts, messages)
        if (cost.tipping) tally(tipping, tippingWords(cost.tipping), messages)
      }
    }
  })
  return { total, byPharmacy, byChannel, byParts, tipping }
}

/** An invented name: the forecast shows no patient. */
const SAMPLE = { first_name: 'Alex', last_name: 'Smith' }

/** Each text and email as it will read, at the first pharmacy that sends on its channel. */
function samplesOf(cohort: Cohort, groups: readonly CohortGroup[], frame: TextFrame): CohortForecast['samples'] {
  return (['sms', 'email'] as const).flatMap((channel) => {
    const sending = new Set(groups.flatMap((group) => (group[channel] === GOES ? [group.location_id] : [])))
    const pharmacy = cohort.pharmacies.find((one) => sending.has(one.id))
    if (!pharmacy) return []
    return cohort[channel].map((text) => {
      const message =
        channel === 'sms'
          ? { subject: null, body: renderText(text.body, pharmacy, SAMPLE, frame) }
          : renderEmail(text.body, text.subject, { ...pharmacy.values, ...SAMPLE })
      return {
        channel,
        ...{
          template_name: text.name,
          pharmacy_name: pharmacy.name,
          subject: message.subject,
          text: withLinks(message.body, frame),
        },
        patient_name: `${SAMPLE.first_name} ${SAMPLE.last_name}`,
      }
    })
  })
}

/** The pharmacies that would send texts. */
function textingOf({ sms, pharmacies }: Cohort, groups: readonly CohortGroup[]) {
  if (sms.length === 0) return []
  const texting = new Set(groups.filter((one) => one.sms === GOES).map((one) => one.location_id))
  return pharmacies.filter((one) => texting.has(one.id))
}

/** The cost of each group's texts; several costs if names are counted individually. */
async function costsOf(
  tx: Tx,
  { sms, pharmacies }: Cohort,
  groups: readonly CohortGroup[],
  uses: readonly ReturnType<typeof nameUse>[],
  frame: TextFrame,
) {
  const places = new Map(pharmacies.map((one) => [one.id, one]))
  const calculators = new Map<string, ReturnType<typeof textCosts>>()
  const costs: { cost: TextCost; messages: number }[][] = []
  for (const group of groups) {
    if (sms.length === 0 || group.sms !== GOES) {
      costs.push([])
      continue
    }
    const { body } = sms[group.text]!
    const pharmacy = places.get(group.location_id)!
    if (group.exact) {
      const plain = renderText(body, pharmacy, {}, frame)
      const names = await namesOf(tx, group.location_id, group.exact)
      costs.push(
        names.map((name) => ({
          cost: exactCost(renderText(body, pharmacy, name, frame), plain, frame),
          messages: 1,
        })),
      )
      continue
    }
    const key = `${group.location_id} ${group.text}`
    const calculate = calculators.get(key) ?? textCosts(body, pharmacy, uses[group.text]!, frame)
    calculators.set(key, calculate)
    costs.push([{ cost: calculate(group.first!, group.last!, group.unicode!), messages: group.patients }])
  }
  return costs
}

/** When sending would begin and end if activated now, or on the campaign's first day if that is later. */
function timesOf(
  services: Services,
  { pharmacies, question, hoursAt }: Cohort,
  groups: readonly CohortGroup[],
  window: SendWindow,
) {
  const { now } = question
  const clocks = new Map(pharmacies.map(({ id, calendar }) => [id, { calendar, hours: hoursAt(id) }]))
  const loads = (channel: Channel): CalendarLoad[] =>
    groups.flatMap((group) =>
      question[channel] && group[channel] === GOES
        ? [{ ...clocks.get(group.location_id)!, messages: group.patients }]
        : [],
    )
  const sending = [...loads('sms'), ...loads('email')]
  const from = new Date(Math.max(startsAt(now.getTime()), window.from?.getTime() ?? 0))
  const open = sending.length > 0 ? sending : [...clocks.values()]
  const firstAt = firstFrom(now, window.from)
  const firsts = open.flatMap(({ hours, calendar }) => firstAt(hours, calendar) ?? [])
  const starts = firsts.length > 0 ? new Date(Math.min(...firsts.map((at) => at.getTime()))) : from
  const ends = [
    finishTime(loads('sms'), services.sms.perSecond, starts),
    finishTime(loads('email'), services.bulkEmail.perSecond, starts),
  ]
  const latest = ends.every((end) => end !== null) ? Math.max(...ends.map((end) => end!.getTime())) : null
  return {
    rate_per_minute: ratePerMinute(services.sms.perSecond),
    starts_at: starts.toISOString(),
    finishes_at: latest === null ? null : new Date(latest).toISOString(),
    simulated: services.sms.simulated,
  }
}
