import { day, formatDay } from '@pillar/domain/time/day'
import { choiceAt, cutTo, periodOf } from '@pillar/domain/time/period'
import { signIn, timeOf } from './company.ts'
import { pharmacyOf, windowFunctions } from './detail.queries.ts'
import { type Figure, quantile } from './figure.ts'
import type { Bench } from './suite.ts'

const SCRIPTS = 100_000
const WARM_UP = 5
const ROUNDS = 10
const CALL = '/api/enterprise-adherence-detail'

/** The patients behind one pharmacy's adherence, over HTTP: periods, categories and pages in turn; then a plain statement beside it. */
export async function detail(bench: Bench): Promise<Figure[]> {
  const large = await bench.large()
  const own = large.pharmacies.filter((pharmacy) => pharmacy.main).map((pharmacy) => pharmacy.uuid)
  const { uuid, scripts } = await pharmacyOf(large.server.databaseUrl, own, SCRIPTS)
  const token = await signIn(large.server.url)
  const last = day(large.today) - 1
  const choices = (['year', 'quarter', 'month'] as const).map((kind) => choiceAt('AU', kind, last))
  const earlier = { year: (choices[0]?.year ?? 0) - 1 }
  const asked = [
    ...[...choices, earlier].map((choice) => ({ ...choice, page: 1 })),
    { ...choices[0], page: 3 },
    { ...choices[2], page: 1, category: 'Sex', subcategory: 'Female' },
    { ...earlier, page: 1, category: 'Patient Type', subcategory: 'Concession' },
  ]
  const ms: number[] = []
  for (let at = 0; at < WARM_UP + ROUNDS * asked.length; at++) {
    const took = await timeOf(large.server.url, CALL, { pharmacy_id: uuid, ...asked[at % asked.length] }, token)
    if (at >= WARM_UP) ms.push(took)
  }
  const ends = [...choices, earlier].map(
    (choice) => cutTo(periodOf('AU', { month: null, ...choice }), last)?.to ?? last,
  )
  bench.say(`detail: measured over HTTP; now one statement at ${ends.map(formatDay).join(', ')}`)
  const rival = await windowFunctions(large.server.databaseUrl, uuid, [...ends, ...ends])
  const [median, theirs] = [quantile(ms, 0.5), quantile(rival, 0.5)]
  const suite = 'detail'
  const note = `one pharmacy of ${scripts} scripts; ${asked.length} questions in turn`
  return [
    {
      suite,
      name: 'enterprise-adherence-detail, p95',
      unit: 'ms',
      measured: quantile(ms, 0.95),
      target: { most: 300 },
      samples: ms,
      note,
    },
    {
      ...{ suite, name: 'enterprise-adherence-detail, p50', unit: 'ms', measured: median },
      ...{ rival: { name: 'one SQL statement, p50', measured: theirs }, ratio: theirs / median },
    },
    { suite, name: 'One SQL statement, p50', unit: 'ms', measured: theirs, samples: rival },
  ]
}
