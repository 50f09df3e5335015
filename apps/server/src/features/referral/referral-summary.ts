import type { contract } from '@pillar/contract'
import { addMonths, type Day, day, formatDay } from '@pillar/domain/time/day'
import { type HandlersOf, tenantTx } from '../../api/context.ts'
import { asRecruiter } from '../../db/scope.ts'
import { ownPartner } from './own-recruiter.ts'
import { type BarRow, type OwnRecruiter, referralBars } from './referral.queries.ts'
import { askedDays } from './referral-days.ts'

/** Beyond this many days, bars are months. */
const MOST_DAYS_IN_WEEKS = 380

type Sum = Exclude<keyof BarRow, 'from'>

export const summary: HandlersOf<typeof contract.referral>['summary'] = async (input, context) => {
  const partner = await ownPartner(context)
  const sees_nobody = whyNobody(partner)
  const asked = askedDays(partner?.id ?? 0, input, context)
  const step = day(asked.to) - day(asked.from) > MOST_DAYS_IN_WEEKS ? ('month' as const) : ('week' as const)
  const tx = tenantTx(context)
  const bars =
    partner && sees_nobody === ''
      ? await asRecruiter(tx, partner.id, () => referralBars(tx, asked, step, input.search_term))
      : []
  const sum = (field: Sum) => bars.reduce((total, bar) => total + bar[field], 0)
  return {
    recruiter_provider_name: partner?.name ?? null,
    sees_nobody,
    total_referred: sum('waiting') + sum('contacted') + sum('enrolled'),
    total_contacted: sum('ever_contacted'),
    total_enrolled: sum('enrolled'),
    total_withdrawn: sum('withdrawn'),
    rebate: sum('cents') / 100,
    sr_rebate: sum('sr_cents') / 100,
    withdrawn_rebate: sum('withdrawn_cents') / 100,
    withdrawn_sr_rebate: sum('withdrawn_sr_cents') / 100,
    step,
    bars: withGaps(bars, step),
  }
}

/** The bars of the answer, including weeks or months in which nobody signed up. */
function withGaps(bars: readonly BarRow[], step: 'week' | 'month') {
  const known = new Map(bars.map((bar) => [bar.from, bar]))
  const [first, last] = [bars[0]?.from, bars.at(-1)?.from]
  const all = []
  for (
    let at = first === undefined ? undefined : day(first);
    at !== undefined && last && at <= day(last);
    at = next(at, step)
  ) {
    const from = formatDay(at)
    const { waiting = 0, contacted = 0, enrolled = 0, withdrawn = 0 } = known.get(from) ?? {}
    all.push({ from, waiting, contacted, enrolled, withdrawn })
  }
  return all
}

const next = (at: Day, step: 'week' | 'month'): Day => (step === 'week' ? at + 7 : addMonths(at, 1))

function whyNobody(partner: OwnRecruiter | null): string {
  if (partner === null) return 'Your login belongs to no recruiter yet. Please ask support to choose one.'
  if (partner.recruiter_or_provider === 'recruiter') return ''
  return `${partner.name} runs trials. Patients agree to be called by the recruiter of a trial, so their names are shown to recruiters alone.`
}
