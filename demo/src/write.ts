import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseDay } from '@pillar/domain/time/day'
import { networkToday } from './calendar.ts'
import { demoNetwork, NETWORK_SIZES, type NetworkSize } from './network.ts'
import { uploadsOf } from './uploads.ts'
import { writePharmacy } from './write-files.ts'

const USAGE = `npm run demo -- --out DIR [--size tiny|small|large] [--seed 1] [--today 2026-11-19] [--pharmacy N [--from DAY --to DAY]]
Writes the upload files of the demo network into DIR, a folder for each pharmacy, without loading them; with --pharmacy those of one, and with --from
and --to of one what it dispensed in those days.`

function fail(reason: string): never {
  console.error(`${reason}\n\n${USAGE}`)
  process.exit(2)
}

const isSize = (word: string): word is NetworkSize => NETWORK_SIZES.some((size) => size === word)

interface Options {
  size: NetworkSize
  seed: number
  today: string
  out: string
  only: number | undefined
  /** One increment instead of the uploads that set up the world. */
  range: { from: string; to: string } | undefined
}

function words() {
  const text = { type: 'string' } as const
  try {
    const names = { size: text, seed: text, today: text, out: text, pharmacy: text, from: text, to: text }
    return parseArgs({ options: { ...names, help: { type: 'boolean', short: 'h' } } }).values
  } catch (error) {
    return fail((error as Error).message)
  }
}

function options(): Options {
  const values = words()
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    process.exit(0)
  }
  const { size = 'small', seed = '1', out, pharmacy } = values
  const today = values.today ?? networkToday(new Date())
  if (!isSize(size)) fail(`--size is ${NETWORK_SIZES.join(', ')}, not ${size}.`)
  if (!/^\d+$/.test(seed)) fail(`--seed is a whole number, not ${seed}.`)
  for (const [name, day] of Object.entries({ today, from: values.from, to: values.to }))
    if (day !== undefined && parseDay(day) === null) fail(`--${name} is a date such as 2026-11-19, not ${day}.`)
  if (!out) fail('--out names the folder to write into.')
  const { from, to } = values
  if (pharmacy !== undefined && !/^\d+$/.test(pharmacy)) fail(`--pharmacy is a whole number, not ${pharmacy}.`)
  if ((from || to) && !(from && to && pharmacy)) fail('--from and --to go together, and with --pharmacy.')
  const range = from && to ? { from, to } : undefined
  return { size, seed: Number(seed), today, out, only: pharmacy === undefined ? undefined : Number(pharmacy), range }
}

/** DIR/network.json lists the companies, pharmacies and people; DIR/{slug}/ holds the first upload, DIR/{slug}/upload-2/ the next one. */
function main(): void {
  const { size, seed, today, out, only, range } = options()
  const network = demoNetwork(size, seed, today)
  if (only !== undefined && !network.pharmacies[only]) fail(`--pharmacy goes up to ${network.pharmacies.length - 1}.`)
  const chosen = network.pharmacies.filter((pharmacy) => only === undefined || pharmacy.index === only)
  if (range && chosen[0]) {
    const { scripts } = writePharmacy(network, chosen[0].index, join(out, chosen[0].slug), range)
    process.stdout.write(`${scripts} scripts\n`)
    return
  }
  const started = performance.now()
  let scripts = 0
  chosen.forEach((pharmacy, i) => {
    uploadsOf(network, pharmacy.index).forEach(({ range }, n) => {
      const folder = n === 0 ? join(out, pharmacy.slug) : join(out, pharmacy.slug, `upload-${n + 1}`)
      scripts += writePharmacy(network, pharmacy.index, folder, range).scripts
    })
    const seconds = (performance.now() - started) / 1000
    const line = `${i + 1}/${chosen.length} pharmacies, ${scripts.toLocaleString('en-AU')} scripts, ${seconds.toFixed(1)} s`
    process.stdout.write(process.stdout.isTTY ? `\r${line}   ` : `${line}\n`)
  })
  if (process.stdout.isTTY) process.stdout.write('\n')
  const { companies: _, ...rest } = network
  writeFileSync(join(out, 'network.json'), `${JSON.stringify(rest, null, 2)}\n`)
}

main()
