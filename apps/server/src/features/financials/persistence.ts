import type { AnswerOf, contract, InputOf } from '@pillar/contract'
import type { PersistenceCurve } from '@pillar/contract/persistence'
import { PERSISTENCE_WORDS, persistenceOf } from '@pillar/domain/figure/persistence'
import { formatDay } from '@pillar/domain/time/day'
import { type Context, callerOf, tenantTx } from '../../api/context.ts'
import { endsByPharmacy, type PharmacyEnds } from './persistence.queries.ts'
import { select } from './selection.ts'

type Persistence = (typeof contract)['financials']['persistence']

/** How long patients stay on a medicine they began in the period, pooled over the pharmacies. */
export async function persistenceAnswer(
  { pharmacy_ids, drug_types, ...choice }: InputOf<Persistence>,
  context: Context,
): Promise<AnswerOf<Persistence>> {
  const tx = tenantTx(context)
  const selection = await select(tx, callerOf(context).country, choice, pharmacy_ids)
  const rows = await endsByPharmacy(tx, selection.ids, selection.code, drug_types)
  const whole = rows.filter((row) => row.drug_type === null)
  const byType = Map.groupBy(
    rows.filter((row) => row.drug_type !== null),
    (row) => row.drug_type as string,
  )
  const types = [...byType].map(([name, own]) => curveOf(name, own))
  const { title, formula, notes } = PERSISTENCE_WORDS
  return {
    ...{ title, formula, notes: [...notes] },
    curves: [curveOf(null, whole), ...types.sort((a, b) => b.starts - a.starts || order(a.drug_type, b.drug_type))],
    period: selection.span,
    followed_to: selection.dataTo === null ? null : formatDay(selection.dataTo),
    pharmacies_counted: whole.length,
  }
}

const order = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? -1 : 1)

function curveOf(drug_type: string | null, rows: readonly PharmacyEnds[]): PersistenceCurve {
  const { starts, points, steps, until } = persistenceOf(rows.flatMap((row) => row.ends))
  return { drug_type, starts, points: [...points], steps: [...steps], until }
}
