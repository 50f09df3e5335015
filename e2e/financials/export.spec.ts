import { readFile } from 'node:fs/promises'
import { formatMoney, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { expect, type Page, test } from '@playwright/test'
import { ALL_DRAWN, cellsOf, grid, numberIn } from '../support/grid.ts'
import { addPerson, addPharmacy, upload } from '../support/install.ts'
import { open } from '../support/people.ts'
import { writeRecord } from '../support/record.ts'

const STATISTICS = ['Revenue', 'Scripts', 'Adherence', 'Loyalty'] as const
const SEED = Number(process.env.E2E_SEED ?? Date.now() % 100_000)

/** Downloads the file the screen offers. @returns its name and its lines of cells */
async function exported(page: Page): Promise<{ name: string; lines: string[][] }> {
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await started
  const text = await readFile(await file.path(), 'utf8')
  expect(text.startsWith('\uFEFF'), 'a byte order mark, so that spreadsheets read UTF-8').toBe(true)
  return { name: file.suggestedFilename(), lines: readCsv(text.slice(1)) }
}

/** Reads RFC 4180: cells in quotes may hold commas, line ends and doubled quotes. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') lines.push([])
    if (end === '') break
  }
  return lines.filter((line) => line.length > 1 || line[0] !== '')
}

/** A figure of the file as the screen writes it. */
function asShown(statistic: string, figure: string): string {
  if (figure === '') return '–'
  if (statistic === 'Revenue') return formatMoney('AU', Number(figure))
  if (statistic === 'Scripts') return formatNumber('AU', Number(figure))
  return formatPercent('AU', Number(figure) / 100)
}

/** Numbers from 0 to below 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

for (const turn of [0, 1, 2]) {
  test(`the file is the table on screen, cell by cell (${turn + 1} of 3)`, async ({ page }) => {
    test.info().annotations.push({ type: 'E2E_SEED', description: String(SEED) })
    const random = randomFrom(SEED + turn)
    const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    await page.setViewportSize(ALL_DRAWN)
    const group = oneOf(['Drug Type', 'Age Group', 'Patient Type', 'Sex'])
    const state = oneOf(['', 'NSW', 'QLD,VIC'])
    const address = new URLSearchParams({ group, ...(state && { state }) })
    await open(page, `/financials?${address}`)
    const statistic = oneOf(STATISTICS)
    await page.getByRole('radio', { name: statistic }).click()
    const fields = (await cellsOf(page))[0]?.slice(2) ?? []
    const kept = fields.filter(() => random() < 0.6)
    if (kept.length > 0) {
      await page.goto(`${page.url()}&columns=${encodeURIComponent(JSON.stringify(kept))}`)
      await expect(page.getByText(`${kept.length} of ${fields.length} `)).toBeVisible()
    }
    const heads = grid(page).getByRole('columnheader')
    const sorted = heads.nth(Math.floor(random() * (await heads.count())))
    for (let clicks = 1 + Math.floor(random() * 2); clicks > 0; clicks--) await sorted.click()

    const screen = await cellsOf(page)
    const { name, lines } = await exported(page)
    expect(name).toMatch(/\.csv$/)
    const shown = lines.slice(1).map(([pharmacy = '', , , , ...figures]) => {
      const title = { TOTAL: 'Total', 'Product average': 'Pillar average' }[pharmacy] ?? pharmacy
      return [title, ...figures.map((figure) => asShown(statistic, figure))]
    })
    expect(lines[0]?.slice(4).map((head) => head.replace(/ \([^(]*\)$/, ''))).toEqual([
      'All',
      ...(screen[0]?.slice(2) ?? []),
    ])
    expect(shown.map(([title]) => title)).toEqual(screen.slice(1).map(([title]) => title))
    shown.forEach((row, index) => {
      const seen = screen[index + 1] ?? []
      // An average has more decimals than either shows, so that one may round up where the other rounds down.
      if (/average$/.test(row[0] ?? '')) {
        row.forEach((text, column) => {
          const difference = Math.abs(numberIn(text) - numberIn(seen[column] ?? ''))
          if (text !== seen[column]) expect(difference).toBeLessThan(/%/.test(text) ? 0.0101 : 1.01)
        })
      } else expect(row).toEqual(seen)
    })
  })
}

test('a pharmacy named like a formula comes out as text', async ({ page }) => {
  const company = `Formula Chemists ${Date.now()}`
  const person = `formula-${Date.now()}`
  const formula = '=HYPERLINK("https://example.com","Open, please")'
  const key = await addPharmacy(company, formula, '2000')
  await addPharmacy(company, '+61 Pharmacy', '2001')
  await addPerson(company, 'AU', person)
  await upload(key, 'canonical', await writeRecord([{ script: '1', patient: '1', paid: '7.70' }]))
  await open(page, '/financials?sort=pharmacy', person)
  await expect(grid(page).getByRole('rowheader', { name: formula })).toBeVisible()
  const { lines } = await exported(page)
  expect(lines.map(([name]) => name)).toEqual(['Pharmacy', 'TOTAL', ...averages(lines), "'+61 Pharmacy", `'${formula}`])
  expect(lines.at(-1)?.[4]).toBe('17.7')
})

/** The averages the file has; the product's is left out while it is made of too few pharmacies. */
const averages = (lines: string[][]) => lines.map(([name = '']) => name).filter((name) => name.endsWith(' average'))
