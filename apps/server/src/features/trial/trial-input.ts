import { Refusal } from '@pillar/contract'
import type { Filters } from '@pillar/contract/campaign/cohort'
import { cohortProblems } from '@pillar/domain/cohort/cohort'
import { oneLine, plainText } from '@pillar/domain/text/plain-text'
import { type Day, formatDay } from '@pillar/domain/time/day'
import { type RebateType, trialProblem } from '@pillar/domain/trial/trial'
import { dayFrom } from '../../api/call/day-sent.ts'
import { companyZone } from '../../api/call/today.ts'
import { type Context, staffTx } from '../../api/context.ts'
import { ATC, unknownFilters } from '../cohort/filter.queries.ts'
import { globalTemplateIds, partnerId, type TrialColumns } from './trial-admin.queries.ts'

/** A trial as sent by `create` and `edit`. */
export interface TrialInput {
  name: string
  note?: string | null
  eligibility_criteria: string
  filters?: Filters | null
  recruiter_id?: string | null
  provider_id?: string | null
  refer_rebate?: number | null
  enroll_rebate?: number | null
  sr_refer_rebate?: number | null
  sr_enroll_rebate?: number | null
  rebate_type?: RebateType | null
  start_date?: string | null
  end_date?: string | null
  template_ids: readonly string[]
}

/** The zone for days that staff enter: the main zone of their company's country. */
/** The civil day of a date in a request, where the staff are. @throws Refusal invalid */
export const staffDay = (text: string | null | undefined, context: Context): Day | null =>
  dayFrom(text, companyZone(context))

export const dayText = (day: Day | null) => (day === null ? null : formatDay(day))

const centsOf = (dollars: number | null) => Math.round((dollars ?? 0) * 100)

/**
 * The input, checked and ready to store.
 * @throws Refusal invalid with one sentence that names what is missing, not_found for an unknown recruiter, provider or template
 */
export async function checkedTrial(
  input: TrialInput,
  context: Context,
): Promise<{ columns: TrialColumns; filters: Filters | null; templateIds: number[] }> {
  const tx = staffTx(context)
  const draft = {
    name: oneLine(input.name),
    note: plainText(input.note ?? '').trim(),
    eligibility_criteria: plainText(input.eligibility_criteria).trim(),
    recruiter_id: input.recruiter_id ?? null,
    provider_id: input.provider_id ?? null,
    refer_rebate: input.refer_rebate ?? null,
    enroll_rebate: input.enroll_rebate ?? null,
    sr_refer_rebate: input.sr_refer_rebate ?? null,
    sr_enroll_rebate: input.sr_enroll_rebate ?? null,
    rebate_type: input.rebate_type ?? null,
    template_ids: input.template_ids,
    start_date: dayText(staffDay(input.start_date, context)),
    end_date: dayText(staffDay(input.end_date, context)),
  }
  // Before that check: an unknown id gets the same answer whatever else is missing.
  const templateIds = await globalTemplateIds(tx, input.template_ids)
  const problem = trialProblem(draft, context.services.env.PRODUCT_NAME)
  const { rebate_type, recruiter_id, provider_id } = draft
  if (problem !== '' || !rebate_type || !recruiter_id || !provider_id) throw new Refusal('invalid', problem)
  const filters = input.filters ?? null
  if (filters) await refuseFilters(filters, context)
  const { name, note, eligibility_criteria } = draft
  return {
    columns: {
      ...{ name, note, eligibility_criteria, rebate_type },
      recruiter_id: await partnerId(tx, recruiter_id, 'recruiter'),
      provider_id: await partnerId(tx, provider_id, 'provider'),
      refer_rebate_cents: centsOf(draft.refer_rebate),
      enroll_rebate_cents: centsOf(draft.enroll_rebate),
      sr_refer_rebate_cents: centsOf(draft.sr_refer_rebate),
      sr_enroll_rebate_cents: centsOf(draft.sr_enroll_rebate),
      start_day: draft.start_date,
      end_day: draft.end_date,
    },
    filters,
    templateIds,
  }
}

/** Criteria apply to every company, so molecules are ATC codes, whether or not any has been dispensed. @throws Refusal invalid */
async function refuseFilters(filters: Filters, context: Context): Promise<void> {
  const odd = filters.molecules.filter((code) => !ATC.test(code)).map((code) => `There is no molecule "${code}".`)
  const wrong = [...cohortProblems(filters), ...odd]
  if (odd.length === 0) wrong.push(...(await unknownFilters(staffTx(context), filters)))
  if (wrong.length > 0) throw new Refusal('invalid', wrong.join(' '))
}
