import { readFile } from 'node:fs/promises'
import { STATISTIC_NAMES } from '@pillar/domain/figure/format'
import { expect, type Page, test } from '@playwright/test'
import { ask as askFile } from '../support/files.ts'
import { ALL_DRAWN, cellsOf, grid } from '../support/grid.ts'
import { addPerson, addPharmacy, upload } from '../support/install.ts'
import { open, RUNNING } from '../support/people.ts'
import { writeRecord } from '../support/record.ts'

const STATISTICS = ['Revenue', 'Number of Scripts', 'Adherence', 'Loyalty'] as const
const SEED = Number(process.env.SEED ?? Date.now()) % 100_000

/** Downloads the file of the screen. @returns its name and its lines of cells */
async function exported(page: Page): Promise<{ name: string; lines: string[][] }> {
  const started = page.waitForEvent('download')
  await askFile(page, 'Export CSV')
  const file = await started
  const text = await readFile(await file.path(), 'utf8')
  expect(text.startsWith('\uFEFF'), 'a byte order mark, so that spreadsheets read UTF-8').toBe(true)
  return { name: file.suggestedFilename(), lines: readCsv(text.slice(1)) }
}

/** Reads RFC 4180: cells in quotes may contain commas, line ends and doubled quotes. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') lines.push([])
    if (end === '') break
  }
  return lines.filter((line) => line.length > 1 || line[0] !== '')
}

/** Numbers from 0 to below 1, always the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** The file's columns before the figures on screen. */
const HEADS = ['Pharmacy', 'State', 'Postcode', 'Data from', 'Data to', 'Period', 'Note', 'Statistic']

STATISTICS.forEach((statistic, turn) => {
  const tag = statistic === 'Revenue' ? '@main' : []
  test(`the file is the table on screen, word for word: ${statistic}`, { tag }, async ({ page }) => {
    test.info().annotations.push({ type: 'SEED', description: String(SEED) })
    const random = randomFrom(SEED + turn)
    const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    await page.setViewportSize(ALL_DRAWN)
    const group = oneOf(['Drug Type', 'Condition', 'Age Group', 'Patient Type', 'Sex', 'Molecule'])
    const state = oneOf(['', 'NSW', 'QLD,VIC'])
    const period = oneOf(['', '2026-10', '2024'])
    const address = new URLSearchParams({ group, ...(state && { state }), ...(period && { period }) })
    await open(page, `/financials?${address}`)
    await page.getByRole('radio', { name: statistic }).click()
    const fields = (await cellsOf(page))[0]?.slice(2) ?? []
    const kept = fields.filter(() => random() < 0.6).slice(0, 24)
    if (kept.length > 0) {
      await page.goto(`${page.url()}&columns=${encodeURIComponent(JSON.stringify(kept))}`)
      // There are more molecules than are drawn.
      await expect(page.getByText(new RegExp(`^${kept.length} of \\d+ .*shown$`))).toBeVisible()
    }
    const heads = grid(page).getByRole('columnheader')
    const sorted = heads.nth(Math.floor(random() * (await heads.count())))
    for (let clicks = 1 + Math.floor(random() * 2); clicks > 0; clicks--) await sorted.click()

    const screen = await cellsOf(page)
    const dates = await page
      .getByRole('button', { name: /^(Financial year|October)/ })
      .locator('span')
      .textContent()
    const { name, lines } = await exported(page)
    expect(name).toBe(`${period === '' ? RUNNING.year : period}_adherence_data.csv`)
    const [head = [], ...rows] = lines
    const width = screen[0]?.length ?? 0
    expect(head.slice(0, HEADS.length)).toEqual(HEADS)
    expect([head[0], ...head.slice(HEADS.length, HEADS.length + width - 1)]).toEqual(screen[0])
    expect(rows.map((row) => [row[0], ...row.slice(HEADS.length, HEADS.length + width - 1)])).toEqual(screen.slice(1))
    for (const row of rows.filter(([first]) => !first?.endsWith('Pillar average'))) expect(row[5]).toBe(dates)
    for (const row of rows) expect(row[7]).toBe(STATISTIC_NAMES[statistic])
    const notes = await notesOf(page)
    expect(rows.slice(0, 3).map((row) => row[6])).toEqual(notes)
    const share = statistic === 'Adherence' || statistic === 'Loyalty'
    expect(head).toHaveLength(HEADS.length + (width - 1) * (share ? 3 : 1))
    if (!share) return
    // The file has the text of a figure's tooltip in two columns.
    const titles = await titlesOf(page)
    rows.forEach((row, at) => {
      for (let column = 0; column < width - 1; column++) {
        const [n = '', bounds = ''] = row.slice(HEADS.length + width - 1 + column * 2)
        const title = titles[at]?.[column] ?? ''
        if (bounds === '') expect(title).not.toContain('etween')
        else expect(title).toContain(bounds.replace(' – ', ' and '))
        if (n === '' || n === '0')
          expect(title).toMatch(/^$|^(Nobody is measured|No scripts) here|^Hidden: |^Not compared/)
        else expect(title).toContain(`${n} `)
      }
    })
  })
})

/** The smaller lines of the three rows above the pharmacies. */
const notesOf = (page: Page) =>
  grid(page)
    .locator('tbody')
    .first()
    .getByRole('rowheader')
    .evaluateAll((heads) => heads.map((head) => head.querySelectorAll('span')[1]?.textContent ?? ''))

/** The tooltip of each figure, row by row. */
const titlesOf = (page: Page) =>
  grid(page)
    .getByRole('row')
    .evaluateAll((rows) =>
      rows
        .slice(1)
        .map((row) =>
          [...row.querySelectorAll('td:not([aria-hidden])')].map((cell) => cell.getAttribute('title') ?? ''),
        ),
    )

test('a pharmacy named like a formula is exported as text', async ({ page }) => {
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
  expect(lines.map(([name]) => name)).toEqual([
    ...['Pharmacy', 'TOTAL', 'Pillar average', 'Selected average', "'+61 Pharmacy"],
    `'${formula}`,
  ])
  expect(lines.at(-1)?.[HEADS.length]).toBe('$18')
})
