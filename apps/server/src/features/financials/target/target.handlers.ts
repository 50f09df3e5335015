import { type contract, Refusal } from '@pillar/contract'
import { TARGET_RULES, targetProblems, targetText } from '@pillar/domain/target/target'
import { problemSentence } from '@pillar/domain/text/sentence'
import { type PeriodChoice, periodOf } from '@pillar/domain/time/period'
import { noteChange } from '../../../api/audit.ts'
import { todayOf } from '../../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../../api/context.ts'
import { resolveLocations } from '../../location/location.queries.ts'
import { changeTarget, deleteTarget, insertTarget, lockTarget } from './target.queries.ts'
import { lineAnswer, targetsAnswer } from './target-answer.ts'

const MEANWHILE =
  'Somebody else set this target in the meantime. Nothing was saved. Please open it again and make your change.'

export const targetHandlers: HandlersOf<typeof contract.target> = {
  async list({ pharmacy_id, all, ...choice }, context) {
    const tx = tenantTx(context)
    const whose = pharmacy_id ? await locationOf(context, pharmacy_id) : all ? 'all' : 'company'
    const about = { country: callerOf(context).country, today: todayOf(context) }
    return { targets: await targetsAnswer(tx, about, choice, whose ?? 'company') }
  },

  async line({ figure, pharmacy_id }, context) {
    const whose = (await locationOf(context, pharmacy_id ?? null)) ?? 'company'
    return { months: await lineAnswer(tenantTx(context), callerOf(context).country, figure, whose) }
  },

  async set({ figure, pharmacy_id, target, version, ...choice }, context) {
    const tx = tenantTx(context)
    const { country, companyId, loginId } = callerOf(context)
    const locationId = await locationOf(context, pharmacy_id)
    const problems = targetProblems(figure, target)
    if (problems.length > 0) {
      const sentence = problemSentence(problems)
      throw new Refusal('invalid', sentence, { errors: { target: [sentence] } })
    }
    const key = { locationId, figure, period: keyOf(context, choice) }
    const before = await lockTarget(tx, key)
    if (version != null && version !== (before?.version ?? 0)) throw new Refusal('conflict', MEANWHILE)
    const set = { value: target, setBy: loginId, now: context.services.now() }
    const words = (value: number | null) => (value === null ? null : targetText(country, figure, value))
    context.about.name = `${TARGET_RULES[figure].title}, ${key.period}`
    noteChange(context, pharmacy_id, { target: words(before?.value ?? null) }, { target: words(target) })
    if (!before) return { id: await insertTarget(tx, { ...key, ...set, companyId }), version: 1 }
    return { id: before.uuid, version: await changeTarget(tx, before.uuid, set) }
  },

  async remove({ id }, context) {
    const gone = await deleteTarget(tenantTx(context), id)
    if (!gone) throw new Refusal('not_found', 'That target was not found.')
    context.about.name = `${TARGET_RULES[gone.figure as keyof typeof TARGET_RULES].title}, ${gone.period}`
    return { removed: true }
  },
}

const keyOf = (context: Context, choice: PeriodChoice) => periodOf(callerOf(context).country, choice).key

/** The pharmacy's internal id; null for the company. Refuses a pharmacy outside the scope with not_found. */
async function locationOf(context: Context, pharmacyId: string | null): Promise<number | null> {
  if (pharmacyId === null) return null
  const [id] = await resolveLocations(tenantTx(context), [pharmacyId])
  return id ?? null
}
