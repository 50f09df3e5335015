import { SILENCE, type Silence, silentBefore } from '@pillar/domain/upload/faulty-upload'
import type { Tx } from '../../../db/database.ts'
import { calendarOf } from '../../../db/local-calendar.ts'
import { countUpToDate, listPlaces, type StandingAsk } from './faulty.queries.ts'

/** For each place with pharmacies, of these companies or of all, the instant before which a last success counts as silent. */
export async function cutsOf(
  tx: Tx,
  silence: Silence,
  now: Date,
  companies?: readonly string[],
): Promise<StandingAsk['cuts']> {
  const known = new Map<object, Date>()
  const cutOf = (calendar: ReturnType<typeof calendarOf>) => {
    const cut = known.get(calendar) ?? silentBefore(silence, calendar, now)
    known.set(calendar, cut)
    return cut
  }
  return (await listPlaces(tx, companies)).map((place) => ({ ...place, cut: cutOf(calendarOf(place)) }))
}

/**
 * The state of companies' uploads, by uuid, with the default silence of the faulty list: the number of pharmacies with StrongPro, and how
 * many of them are up to date. A company without such a pharmacy is left out.
 */
export async function uploadsOf(tx: Tx, companies: readonly string[], now: Date) {
  if (companies.length === 0) return new Map<string, { expected: number; up_to_date: number }>()
  const cuts = await cutsOf(tx, { businessDays: SILENCE.businessDays }, now, companies)
  const rows = await countUpToDate(tx, { module: 'strong_pro', cuts, now, companies })
  return new Map(rows.map(({ company, ...uploads }) => [company, uploads]))
}
