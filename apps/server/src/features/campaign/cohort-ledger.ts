import type { CohortLedger } from '@pillar/contract/cohort'
import { CHANNELS } from '@pillar/domain/consent'
import { HELD_REASONS, type HeldReason, reasonText } from '@pillar/domain/held-back'
import { startsAt } from '@pillar/domain/message-state'
import { smsCents } from '@pillar/domain/sms-text'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { type CohortGroup, countCohort, namesOf } from '../cohort/count.queries.ts'
import { GOES } from '../cohort/selection.queries.ts'
import { foretold, type SendWindow } from './cohort-foretold.ts'
import { type Cohort, firstAt } from './cohort-question.ts'
import { finishTime, type ZoneLoad } from './finish-time.ts'
import {
  exactCost,
  nameUse,
  renderText,
  type TextCost,
  type TextFrame,
  textCosts,
  textFrame,
  tippingWords,
} from './message-text.ts'
import { unverifiedSenders } from './sender.queries.ts'

type Channel = 'sms' | 'email'

/** One side of the ledger while it is added up: reasons by their place in HELD_REASONS. */
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

/** What several channels call the same reason. */
const PERSON_WORDS: Partial<Record<HeldReason, string>> = {
  no_consent: 'No consent',
  no_contact: 'No mobile number or e-mail address',
  invalid_contact: 'Invalid mobile number or e-mail address',
  duplicate_contact: 'Same mobile or e-mail as someone already counted',
}

const tally = <K>(into: Map<K, number>, key: K, count: number) => into.set(key, (into.get(key) ?? 0) + count)

/**
 * The held-back ledger of a cohort with its exact cost. A person receives when any channel goes; else the person's one reason is the
 * first in HELD_REASONS of those of the channels. Changes the scope of the transaction to the chosen pharmacies.
 */
export async function countLedger(
  tx: Tx,
  services: Services,
  cohort: Cohort,
  window: SendWindow = { from: null, until: null },
): Promise<CohortLedger> {
  const { question, pharmacies, sms, email } = cohort
  const frame = textFrame(services)
  const uses = sms.map((text) => nameUse(text.body, pharmacies, frame))
  const groups = pharmacies.length > 0 ? await countCohort(tx, question, uses) : []
  const costs = await costsOf(tx, cohort, groups, uses, frame)
  const unverified = await unverifiedOf(tx, cohort, groups, frame)
  const channels = CHANNELS.filter((channel) => (channel === 'sms' ? sms : email).length > 0)
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
      }))
      .sort((a, b) => a.pharmacy_name.localeCompare(b.pharmacy_name)),
    ...timesOf(services, cohort, groups),
    ...foretold(cohort, groups, window),
  }
}

/** Names that phones show as “Unverified”, by pharmacy, of those that would send texts. */
function unverifiedOf(tx: Tx, { sms, pharmacies }: Cohort, groups: readonly CohortGroup[], frame: TextFrame) {
  const texting = new Set(
    sms.length === 0 ? [] : groups.filter((one) => one.sms === GOES).map((one) => one.location_id),
  )
  return unverifiedSenders(
    tx,
    pharmacies.filter((one) => texting.has(one.id)),
    frame.defaultSender,
  )
}

/** What the texts of each group cost; several costs where names are counted one by one. */
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

/** When sending would begin and end if it were activated now. */
function timesOf(services: Services, { pharmacies, rules, question }: Cohort, groups: readonly CohortGroup[]) {
  const { now } = question
  const zones = new Map(pharmacies.map((one) => [one.id, one.time_zone]))
  const loads = (channel: Channel): ZoneLoad[] => {
    if (!question[channel]) return []
    const byZone = new Map<string, number>()
    for (const group of groups)
      if (group[channel] === GOES) tally(byZone, zones.get(group.location_id)!, group.patients)
    return [...byZone].map(([zone, messages]) => ({ zone, messages }))
  }
  const from = new Date(startsAt(now.getTime()))
  const firsts = [...new Set(zones.values())].flatMap((zone) => firstAt(rules, zone, now) ?? [])
  const starts = firsts.length > 0 ? new Date(Math.min(...firsts.map((at) => at.getTime()))) : from
  const ends = [
    finishTime(loads('sms'), rules.hours, services.sms.perSecond, starts),
    finishTime(loads('email'), rules.hours, services.bulkEmail.perSecond, starts),
  ]
  const latest = ends.every((end) => end !== null) ? Math.max(...ends.map((end) => end!.getTime())) : null
  return {
    rate_per_minute: rateOf(services),
    starts_at: starts.toISOString(),
    finishes_at: latest === null ? null : new Date(latest).toISOString(),
    simulated: services.sms.simulated,
  }
}

/** Texts a minute; no limit is said as the most that can be set. */
export const rateOf = ({ sms }: Pick<Services, 'sms'>) =>
  Number.isFinite(sms.perSecond) ? sms.perSecond * 60 : 100_000 * 60
