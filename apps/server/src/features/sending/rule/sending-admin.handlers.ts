import { type contract, Refusal } from '@pillar/contract'
import type { SendingRules } from '@pillar/contract/message/sending'
import { sendingRulesProblems } from '@pillar/domain/message/sending-rules'
import { senderProblems } from '@pillar/domain/message/sms-sender'
import { type Problem, problemSentence } from '@pillar/domain/text/sentence'
import type { SendingHours } from '@pillar/domain/time/quiet-hours'
import { noteChange } from '../../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../../api/context.ts'
import { refuseStale } from '../../../api/version.ts'
import { holidaysKnownTo } from '../../../db/local-calendar.ts'
import { replanQueued } from './replan.queries.ts'
import { holdRules, holdRulesVersion, readRules, saveRules } from './rules.queries.ts'
import {
  type OwnRules,
  readCompanySender,
  readOwnRules,
  type Sender,
  saveCompanySender,
  saveOwnRules,
} from './sending-admin.queries.ts'

type Week = SendingRules['week']

export const sendingAdminHandlers: HandlersOf<typeof contract.sendingAdmin> = {
  ofCompany: (_input, context) => companyOf(context),

  async ofPharmacy({ id }, context) {
    return { ...ownOf(await readOwnRules(tenantTx(context), id, false)), company: await companyOf(context) }
  },

  async saveCompany({ id: _, version, ...input }, context) {
    const tx = tenantTx(context)
    refuse([...senderProblems(draftOf(input), callerOf(context).country), ...sendingRulesProblems(input)])
    const before = await companyOf(context)
    refuseStale({ name: 'the sending rules', version: await holdRulesVersion(tx) }, version)
    const rules = {
      cap: { messages: input.cap_messages, hours: input.cap_hours },
      hours: { week: input.week, holidaysQuiet: input.holidays_quiet },
      holdoutPercent: input.holdout_percent,
      approval: input.approval ?? before.approval,
    }
    const { companyId } = callerOf(context)
    await saveRules(tx, companyId, rules, context.services.now())
    await saveCompanySender(tx, companyId, senderOf(input))
    await replanQueued(tx, context.services.now())
    const after = await companyOf(context)
    noteChange(context, null, before, after)
    return after
  },

  async savePharmacy({ id, version, ...input }, context) {
    const tx = tenantTx(context)
    await holdRules(tx)
    const found = await readOwnRules(tx, id, true)
    refuseStale(found, version)
    refuse([...senderProblems(draftOf(input), callerOf(context).country), ...ownProblems(input)])
    const rules = { ...senderOf(input), ...pick(input) }
    await saveOwnRules(tx, found.id, rules, context.services.now())
    await replanQueued(tx, context.services.now())
    const after = ownOf(await readOwnRules(tx, id, false))
    noteChange(context, id, ownOf(found), after)
    return { ...after, company: await companyOf(context) }
  },
}

async function companyOf(context: Context) {
  const tx = tenantTx(context)
  const { country } = callerOf(context)
  const { cap, hours, holdoutPercent, approval, version } = await readRules(tx, country)
  return {
    ...(await readCompanySender(tx)),
    ...{ cap_messages: cap.messages, cap_hours: cap.hours, holdout_percent: holdoutPercent, approval, version },
    week: weekOf(hours.week),
    holidays_quiet: hours.holidaysQuiet,
    holidays_to: holidaysKnownTo(country),
  }
}

const weekOf = (week: SendingHours['week']) => week.map((day) => (day ? [...day] : null)) as Week

const ownOf = ({ id: _, name: __, week, ...row }: OwnRules & { id: number; name: string; version: number }) => ({
  ...row,
  week: week && weekOf(week),
})

const pick = ({
  week,
  holidays_quiet,
  cap_messages,
  cap_hours,
}: Pick<OwnRules, 'week' | 'holidays_quiet' | 'cap_messages' | 'cap_hours'>) => ({
  ...{ week, holidays_quiet, cap_messages, cap_hours },
})

/** A name, registered or not; a number needs no registration. */
function senderOf(input: Sender): Sender {
  const sms_sender = input.sms_sender?.trim() || null
  const sms_sender_registered = sms_sender !== null && input.sms_sender_registered
  return { sms_sender, sms_sender_registered, sms_sender_registration: input.sms_sender_registration?.trim() || null }
}

const draftOf = (input: Sender) => ({
  ...input,
  sms_sender: input.sms_sender ?? '',
  sms_sender_registration: input.sms_sender_registration ?? '',
})

const FINE = { cap_messages: 1, cap_hours: 1, week: [[0, 1440]] as const, holdout_percent: 0 }

/** What is wrong with a pharmacy's own rules; hours require a choice about holidays, a message count requires a period. */
function ownProblems({ week, holidays_quiet, cap_messages, cap_hours }: ReturnType<typeof pick>): Problem[] {
  const found: Problem[] = []
  if ((week === null) !== (holidays_quiet === null))
    found.push({ field: 'holidays_quiet', words: 'say whether messages are sent on public holidays' })
  if ((cap_messages === null) !== (cap_hours === null))
    found.push({ field: 'cap_hours', words: 'set both the messages and the time of the frequency limit' })
  if (week) found.push(...sendingRulesProblems({ ...FINE, week }))
  return found
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const errors = Object.fromEntries(problems.map((one) => [one.field, [problemSentence([one])]]))
  throw new Refusal('invalid', problemSentence(problems), { errors })
}
