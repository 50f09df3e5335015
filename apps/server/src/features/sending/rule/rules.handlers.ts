import { type contract, Refusal } from '@pillar/contract'
import type { SendingRules } from '@pillar/contract/message/sending'
import { ratePerMinute, sendingRulesProblems } from '@pillar/domain/message/sending-rules'
import { CENTS_PER_PART } from '@pillar/domain/message/sms-text'
import { problemSentence } from '@pillar/domain/text/sentence'
import { noteChange } from '../../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { holidaysKnownTo } from '../../../db/local-calendar.ts'
import { replanQueued } from './replan.queries.ts'
import { countSenders, holdRulesVersion, readRules, saveRules } from './rules.queries.ts'

export const sendingHandlers: HandlersOf<typeof contract.sending> = {
  async rules(_input, context) {
    const { sms } = context.services
    const { cap, hours, holdoutPercent, approval, version } = await readRules(
      tenantTx(context),
      callerOf(context).country,
    )
    return {
      cap_messages: cap.messages,
      cap_hours: cap.hours,
      week: hours.week.map((day) => (day ? [...day] : null)) as SendingRules['week'],
      holidays_quiet: hours.holidaysQuiet,
      holdout_percent: holdoutPercent,
      approval,
      version,
      sms_gateway: sms.name,
      simulated: sms.simulated,
      rate_per_minute: ratePerMinute(sms.perSecond),
      cents_per_part: CENTS_PER_PART,
      holidays_to: holidaysKnownTo(callerOf(context).country),
    }
  },

  async saveRules(input, context) {
    refuseUnusable(input)
    const version = await holdRulesVersion(tenantTx(context))
    if (input.version != null && input.version !== version) throw new Refusal('conflict', SAVED_MEANWHILE)
    await saveRules(
      tenantTx(context),
      callerOf(context).companyId,
      {
        cap: { messages: input.cap_messages, hours: input.cap_hours },
        hours: { week: input.week, holidaysQuiet: input.holidays_quiet },
        holdoutPercent: input.holdout_percent,
        approval: await approvalOf(tenantTx(context), input.approval, context),
      },
      context.services.now(),
    )
    await replanQueued(tenantTx(context), context.services.now())
    return { saved: true }
  },
}

/**
 * Whether campaigns need approval from now on. Any author could turn it off to send alone and turn it on again, so only support does.
 * @throws Refusal not_allowed to turn it off, invalid to turn it on if nobody could approve
 */
async function approvalOf(tx: Tx, asked: boolean | undefined, context: Context): Promise<boolean> {
  const { approval } = await readRules(tx, callerOf(context).country)
  if (asked === undefined || asked === approval) return approval
  if (!asked)
    throw new Refusal(
      'not_allowed',
      'Only support can switch off approval by a second person, so that nobody can do it to send on their own.',
    )
  if ((await countSenders(tx)) < 2)
    throw new Refusal(
      'invalid',
      'Nobody else in your company may send campaigns, so nobody could approve yours. Ask support to add a second person first.',
    )
  noteChange(context, null, { approval }, { approval: true })
  return true
}

const SAVED_MEANWHILE =
  'Somebody else changed the sending rules in the meantime. Nothing was saved. Please open them again and make your changes.'

function refuseUnusable(rules: SendingRules): void {
  const problems = sendingRulesProblems(rules)
  if (problems.length === 0) return
  const errors = Object.fromEntries(problems.map(({ field, words }) => [field, [problemSentence([{ field, words }])]]))
  throw new Refusal('invalid', problemSentence(problems), { errors })
}
