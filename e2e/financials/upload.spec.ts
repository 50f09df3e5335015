import { existsSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { formatDay } from '@pillar/domain/time/day'
import { expect, type Page, test } from '@playwright/test'
import { grid } from '../support/grid.ts'
import { addPerson, addPharmacy, upload } from '../support/install.ts'
import { open } from '../support/people.ts'
import { TODAY, writeRecord } from '../support/record.ts'

/** A pharmacy of a separate company, so that no other test's numbers change. */
async function newcomer(): Promise<{ key: string; person: string }> {
  const stamp = Date.now()
  const company = `Upload Chemists ${stamp}`
  const key = await addPharmacy(company, 'First Street Pharmacy', '2204')
  await addPerson(company, 'AU', `upload-${stamp}`)
  return { key, person: `upload-${stamp}` }
}

const total = (page: Page) =>
  grid(page)
    .getByRole('row', { name: /^TOTAL/ })
    .getByRole('gridcell')
    .first()
const cell = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('a pharmacy’s upload is on screen after a reload, and a bad upload changes nothing', { tag: '@main' }, async ({
  page,
}) => {
  const { key, person } = await newcomer()
  await open(page, '/financials', person)
  await expect(page.getByRole('heading', { name: 'Nothing has been uploaded yet' })).toBeVisible()

  const first = [
    { script: '1', patient: 'A', paid: '7.70' },
    { script: '2', patient: 'B', paid: '31.60' },
    { script: '3', patient: 'B', paid: '31.60' },
    { script: '4', patient: 'B', paid: '31.60', reversed: true },
  ]
  expect(await upload(key, 'canonical', await writeRecord(first), '--initial')).toMatchObject({ code: 0 })
  await page.reload()
  // 7.70 + 2 × 31.60 from patients, 3 × 10.00 from the government; the reversed one does not count.
  await expect(total(page)).toHaveText(/^\$1013 3 scripts\./)
  await expect(cell(page, 'Scripts')).toContainText(/^Scripts3/)
  await expect(cell(page, 'Patients')).toContainText(/^Patients2/)
  await expect(grid(page).getByRole('columnheader', { name: 'Lipid modifying' })).toBeVisible()

  // The next night: one more patient, and the second supply was cancelled.
  const second = [
    { script: '5', patient: 'C', paid: '100.00' },
    { script: '2', patient: 'B', paid: '31.60', reversed: true },
  ]
  expect(await upload(key, 'canonical', await writeRecord(second))).toMatchObject({ code: 0 })
  await page.reload()
  await expect(total(page)).toHaveText(/^\$1693 3 scripts\./)
  await expect(cell(page, 'Patients')).toContainText(/^Patients3/)

  const bad = [
    { script: '6', patient: 'D', paid: '1.00', on: '31/12/2025' },
    { script: '7', patient: 'D', paid: '1.00' },
  ]
  const refused = await upload(key, 'canonical', await writeRecord(bad))
  expect(refused.code).toBe(1)
  expect(refused.out).toContain('ERROR')
  expect(refused.out).toMatch(/scripts\.csv line 2: dispensed_on "31\/12\/2025"/)
  await page.reload()
  await expect(total(page)).toHaveText(/^\$1693 3 scripts\./)

  // The same content is not loaded twice.
  const again = await upload(key, 'canonical', await writeRecord(second))
  expect(again.out).toContain('nothing was loaded again')
  await page.reload()
  await expect(total(page)).toHaveText(/^\$1693 3 scripts\./)
})

const SAMPLES = resolve('../shared/data/samples')

test('a foreign system’s dispensing file shows up in the numbers', async ({ page }) => {
  test.skip(!existsSync(SAMPLES), 'The published sample is not beside this repository.')
  const folder = await mkdtemp(join(tmpdir(), 'pillar-e2e-omop-'))
  for (const set of ['person', 'drug_exposure'])
    await copyFile(join(SAMPLES, `synpuf50_${set}.csv`), join(folder, `${set}.csv`))
  const { key, person } = await newcomer()
  const { code, out } = await upload(key, 'omop', folder, '--shift-to', formatDay(TODAY - 1))
  expect(code, out).toBe(0)
  await open(page, '/financials?statistic=scripts', person)
  await expect(total(page)).toContainText(/^[1-9][\d,]*\$0/)
  await expect(cell(page, 'Patients')).toContainText(/^Patients[1-9]/)
  await page.getByRole('button', { name: 'Patients: how it is calculated' }).click()
  await expect(page.getByRole('dialog').getByText('The parts add up to the number.')).toBeVisible()
})
