import { type contract, Refusal } from '@pillar/contract'
import type { SendingRules } from '@pillar/contract/sending'
import { CENTS_PER_PART } from '@pillar/domain/message/sms-text'
import { callerOf, type HandlersOf, tenantTx } from '../../../api/context.ts'
import { holidaysKnownTo } from '../../../db/local-calendar.ts'
import { holdRulesVersion, readRules, replanQueued, saveRules } from './rules.queries.ts'

export const sendingHandlers: HandlersOf<typeof contract.sending> = {
  async rules(_input, context) {
    const { sms } = context.services
    const { cap, hours, holdoutPercent, version } = await readRules(tenantTx(context), callerOf(context).country)
    return {
      cap_messages: cap.messages,
      cap_hours: cap.hours,
      week: hours.week.map((day) => (day ? [...day] : null)) as SendingRules['week'],
      holidays_quiet: hours.holidaysQuiet,
      holdout_percent: holdoutPercent,
      version,
      sms_gateway: sms.name,
      simulated: sms.simulated,
      rate_per_minute: Number.isFinite(sms.perSecond) ? sms.perSecond * 60 : NO_LIMIT,
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
      },
      context.services.now(),
    )
    await replanQueued(tenantTx(context), context.services.now())
    return { saved: true }
  },
}

const SAVED_MEANWHILE =
  'Somebody else changed the sending rules in the meantime. Nothing was saved. Please open them again and make your changes.'
/** Messages a minute without a limit: the highest value that can be set. */
const NO_LIMIT = 100_000 * 60
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Hours that end before they begin, or a week without any, would hold back every message for ever. */
function refuseUnusable({ week }: SendingRules): void {
  const backwards = week.findIndex((day) => day !== null && day[0] >= day[1])
  if (backwards >= 0) {
    throw new Refusal('invalid', `Please let the sending hours of ${WEEKDAYS[backwards]} end after they begin.`)
  }
  if (week.every((day) => day === null)) {
    throw new Refusal('invalid', 'Please leave at least one day of the week on which messages may be sent.')
  }
}
