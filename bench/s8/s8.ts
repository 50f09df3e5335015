import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { sendUpload } from '../../apps/server/src/cli/send-upload.ts'
import { post, signIn } from '../company.ts'
import { type Figure, quantile } from '../figure.ts'
import { startServer } from '../server.ts'
import type { Bench } from '../suite.ts'
import { foundRegister, timeVerify } from './s8.queries.ts'

const suite = 's8'
const ENTRIES = 1_000_000
const PRODUCTS = 160
const ROUNDS = 30
const CHECKS = 5
const DAY_MS = 86_400_000
/** Entries spread over this many days. */
const DAYS = 1_000

/** One register of a million entries: loaded by the upload call, listed, exported, and checked from its first entry to its last. */
export async function s8(bench: Bench): Promise<Figure[]> {
  const entries = Math.max(2_000, Math.round(ENTRIES * bench.scale))
  const folder = await bench.folder('s8-files')
  await writeRegister(folder, entries)
  const server = await startServer(await bench.folder(suite), { SECOND_FACTOR: 'optional' })
  try {
    const pharmacy = await foundRegister(server.databaseUrl)
    const began = performance.now()
    const sent = await sendUpload({ url: server.url, key: pharmacy.key, source: 'canonical', folder, initial: false })
    if (sent.etl_state !== 'COMPLETED') throw new Error(`The register was not loaded: ${sent.notes}`)
    const loaded = entries / ((performance.now() - began) / 1000)
    const checked = await timeVerify(server.databaseUrl, pharmacy, CHECKS)
    const token = await signIn(server.url, 'controlled')
    const ask = async (path: string, input: (round: number) => object, rounds = ROUNDS) => {
      const samples: number[] = []
      for (let round = 0; round <= rounds; round++) {
        const start = performance.now()
        await post(server.url, `/api/s8/${path.replace('{id}', pharmacy.uuid)}`, input(round), token)
        if (round > 0 || rounds === 0) samples.push(performance.now() - start)
      }
      return samples
    }
    const month = (round: number) => ({
      start_date: dayBefore(30 * (1 + (round % 20)) + 30),
      end_date: dayBefore(30 * (1 + (round % 20))),
    })
    const p95 = (name: string, samples: readonly number[]): Figure => ({
      ...{ suite, name, unit: 'ms', measured: quantile(samples, 0.95), samples },
      target: { most: 150 },
      note: `${entries} entries`,
    })
    const [whole = 0] = await ask(
      '{id}/drug-register/export',
      () => ({ start_date: dayBefore(DAYS + 1), end_date: dayBefore(0) }),
      0,
    )
    return [
      {
        suite,
        name: 'Register loaded',
        unit: 'entries/s',
        measured: loaded,
        note: `${entries} entries by the upload call`,
      },
      {
        suite,
        name: 'Register checked',
        unit: 'entries/s',
        measured: checked.entries / quantile(checked.seconds, 0.5),
        samples: checked.seconds,
        note: `the median of ${CHECKS} checks of all ${checked.entries} entries`,
        target: { least: 300_000 },
      },
      p95('Pharmacies, a page', await ask('stats/list', () => ({}))),
      p95('Products, a page', await ask('{id}/product-list', (round) => ({ page: 1 + (round % 5), never: true }))),
      p95(
        'Drug register, a page of a month',
        await ask('{id}/drug-register', (round) => ({ ...month(round), page: 1 + (round % 9), sort_order: 'desc' })),
      ),
      p95(
        'Drug register, a name in a month',
        await ask('{id}/drug-register', (round) => ({ ...month(round), name: `patient 1${round}` })),
      ),
      p95(
        'Drug register, export of one product in a month',
        await ask('{id}/drug-register/export', (round) => ({ ...month(round), name: `Product ${100 + round} ` })),
      ),
      { suite, name: 'Drug register, export of all', unit: 'ms', measured: whole, note: `${entries} entries` },
    ]
  } finally {
    await server.stop()
  }
}

const dayBefore = (days: number) => new Date(Date.now() - (days + 1) * DAY_MS).toISOString().slice(0, 10)

async function writeRegister(folder: string, entries: number): Promise<void> {
  const products = Array.from({ length: PRODUCTS }, (_, at) => `P${at},Product ${at} tablet,tablets`)
  writeFileSync(join(folder, 's8_products.csv'), ['product_id,name,unit', ...products, ''].join('\n'))
  const file = createWriteStream(join(folder, 's8_transactions.csv'))
  file.write(
    'transaction_id,product_id,entry_type,occurred_at,name,address,quantity_in,quantity_out,counted,reference,pharmacist,doctor\n',
  )
  for (let at = 0; at < entries; at++) {
    const day = dayBefore(DAYS - Math.floor((at / entries) * DAYS))
    const turn = Math.floor(at / PRODUCTS) % 50
    const into = turn === 0
    const counts = turn === 49
    const moved = counts ? ',,480' : into ? '960,,' : ',10,'
    const line = `${at + 1},P${at % PRODUCTS},${counts ? 'count' : into ? 'receipt' : 'supply'},${day}T${String(8 + (at % 10)).padStart(2, '0')}:30,Patient ${at % 5000},${at % 300} Fern Street Ballarat 3350,${moved},S${at},A. Petrou,Dr Osei\n`
    if (!file.write(line)) await new Promise((done) => file.once('drain', done))
  }
  file.end()
  await finished(file)
}
