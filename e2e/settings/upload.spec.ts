import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { addPharmacy, giveStrongPro, upload, watchRequests } from '../support/install.ts'
import { open } from '../support/people.ts'
import { find, unique } from '../support/settings.ts'

test.setTimeout(120_000)

const LIST = '/settings?tab=4'
/** A pharmacy's row, whose first cell also names its company. */
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** A pharmacy with the module, and a folder of files whose scripts are correct, or wrong on these lines. */
async function pharmacyWith(scripts: readonly string[]) {
  const name = unique('Cootamundra Pharmacy')
  const key = await addPharmacy('Kestrel Health Group', name, '2590')
  await giveStrongPro(name)
  const folder = await mkdtemp(join(tmpdir(), 'pillar-e2e-upload-'))
  const write = (file: string, lines: readonly string[]) =>
    writeFile(join(folder, `${file}.csv`), `${lines.join('\n')}\n`)
  await write('patients', ['patient_id', '1', '2'])
  await write('drugs', ['drug_id,name,atc', 'A,Rosuvastatin,C10AA07'])
  await write('scripts', ['script_id,dispensed_on,patient_id,drug_id', ...scripts])
  return { name, key, folder, write }
}

async function openHistory(page: Page, name: string) {
  await find(page, 'Find a pharmacy', name)
  await row(page, name)
    .getByRole('button', { name: `Pharmacy Upload History ${name}` })
    .click()
  const history = dialog(page, `Pharmacy Upload History: ${name}`)
  await expect(history.getByRole('heading', { name: 'Uploads' })).toBeVisible()
  return history
}

test('row faults of a FHIR upload name the file, the line and the place in the resource', async ({ page }) => {
  const name = unique('Cowra FHIR Pharmacy')
  const key = await addPharmacy('Kestrel Health Group', name, '2794')
  await giveStrongPro(name)
  const folder = await mkdtemp(join(tmpdir(), 'pillar-e2e-fhir-'))
  const dispense = (id: string, more: object) => ({
    ...{ resourceType: 'MedicationDispense', id, status: 'completed', subject: { reference: 'Patient/p1' } },
    ...{ medicationCodeableConcept: { text: 'Rosuvastatin 10 mg' }, whenHandedOver: '2026-10-02', ...more },
  })
  const write = (type: string, resources: object[]) =>
    writeFile(join(folder, `${type}.ndjson`), resources.map((one) => `${JSON.stringify(one)}\n`).join(''))
  await write('Patient', [{ resourceType: 'Patient', id: 'p1' }])
  await write('MedicationDispense', [dispense('s1', {}), dispense('s2', { daysSupply: { value: 28, unit: 'TAB' } })])
  expect((await upload(key, 'fhir', folder)).code).toBe(1)
  await open(page, LIST, 'support')
  const history = await openHistory(page, name)
  await history.getByRole('button', { name: /^Details of the upload/ }).click()
  await history.getByRole('button', { name: 'Row faults (1)' }).click()
  const fault = dialog(page, 'Row faults').getByRole('row').filter({ hasText: 'MedicationDispense.ndjson' })
  await expect(fault).toContainText('2')
  await expect(fault).toContainText('daysSupply.unit')
  await expect(fault).toContainText('is not a unit of time; FHIR counts days here, with the code d')
})

test('a faulty upload is found, explained by its row faults, corrected and loaded again until it leaves the list', {
  tag: '@main',
}, async ({ page }) => {
  const pharmacy = await pharmacyWith(['s1,31/31/2026,1,A', 's2,2026-10-02,9,A'])
  const { name, key, folder } = pharmacy
  expect((await upload(key, 'canonical', folder)).code).toBe(1)
  await open(page, LIST, 'support')
  await find(page, 'Find a pharmacy', name)
  await expect(row(page, name)).toContainText('Error')
  await expect(row(page, name)).toContainText('Send the pharmacy the row faults, then request the upload again.')
  await expectAccessible(page, 'faulty uploads')

  const history = await openHistory(page, name)
  await history.getByRole('button', { name: /^Details of the upload/ }).click()
  await expect(history.getByText('uploads/').first()).toBeVisible()
  const remove = history.getByRole('button', { name: /^Remove the upload/ })
  await expect(remove).toBeDisabled()
  await expectAccessible(page, 'an upload', OPENED)
  await history.getByRole('button', { name: 'Row faults (2)' }).click()
  const faults = dialog(page, 'Row faults')
  await expect(faults.getByRole('row').filter({ hasText: '31/31/2026' })).toContainText('dispensed_on')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    faults.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toContain('scripts.csv,2,dispensed_on,31/31/2026,')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await pharmacy.write('scripts', [
    'script_id,dispensed_on,patient_id,drug_id',
    's1,2026-10-01,1,A',
    's2,2026-10-02,2,A',
  ])
  expect((await upload(key, 'canonical', folder)).code).toBe(0)
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('No records found')).toBeVisible()
})

test('a requested upload goes from REQUESTED to COMPLETED on screen, and is compared with the last one', async ({
  page,
}) => {
  const { name, key, folder, write } = await pharmacyWith(['s1,2026-10-01,1,A'])
  await open(page, LIST, 'support')
  const history = await openHistory(page, name)
  await expect(history.getByText('No records found')).toBeVisible()
  await history.getByRole('button', { name: 'Submit' }).click()
  await expect(history.getByText('Please select a data source.')).toBeVisible()
  await history.getByLabel('Data source').selectOption({ label: 'Strong ER' })
  await history.getByLabel('Advanced Options').check()
  await history.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Upload successfully requested.', { exact: true })).toBeVisible()
  const first = history.getByRole('row').nth(1)
  await expect(first).toContainText('Requested')
  await expect(first).toContainText('Strong ER')
  const stop = watchRequests(key, 'stronger', folder)
  try {
    await expect(first).toContainText('Completed', { timeout: 20_000 })
    await write('scripts', ['script_id,dispensed_on,patient_id,drug_id', 's1,2026-10-01,1,A', 's2,2026-10-05,2,A'])
    await history.getByRole('button', { name: 'Submit' }).click()
    await expect(history.getByRole('row')).toHaveCount(3)
    await expect(history.getByRole('row').nth(1)).toContainText('Completed', { timeout: 20_000 })
  } finally {
    expect(await stop()).toContain('Requested: an upload of stronger')
  }
  await history
    .getByRole('button', { name: /^Details of the upload/ })
    .first()
    .click()
  await history.getByRole('button', { name: 'Compare with the last upload' }).click()
  await expect(history.getByRole('row', { name: /^scripts.csv, rows/ })).toContainText('+100.00%')
  await expect(history.getByText('Support Initiated')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('No records found')).toBeVisible()
})

test('work is assigned, noted and snoozed, and the list counts silence by hours or business days', async ({ page }) => {
  const { name } = await pharmacyWith([])
  await open(page, LIST, 'support')
  await find(page, 'Find a pharmacy', name)
  await expect(row(page, name)).toContainText('Never uploaded')
  await expect(row(page, name)).toContainText('Help the pharmacy set up its first upload.')
  await row(page, name)
    .getByRole('button', { name: `More about ${name}` })
    .click()
  await page.getByRole('menuitem', { name: 'Assign, note or snooze' }).click()
  const form = dialog(page, name)
  await form.getByLabel('Note').fill('Opens in December.')
  await form.getByLabel('Snooze').selectOption('date')
  await form.getByRole('button', { name: 'Update' }).click()
  await expect(form.getByRole('alert')).toHaveText('Please select the date until which it rests.')
  await form.getByLabel('Snooze').selectOption('change')
  await form.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Work list updated')).toBeVisible()
  await expect(page.getByText('No records found')).toBeVisible()
  await page.getByRole('button', { name: /Snoozed/ }).click()
  await page.getByRole('menuitem', { name: 'only these' }).click()
  await expect(row(page, name)).toContainText('Opens in December. · Snoozed until its state changes')
  await page.getByRole('radio', { name: 'Hours' }).click()
  await expect(page.getByText('for more than 96 hours')).toBeVisible()
  await expect(page).toHaveURL(/by=hours/)
  await page.getByRole('button', { name: /^Show .* as table/ }).click()
  await expect(page.getByRole('columnheader', { name: 'Share' })).toBeVisible()
  await page.getByLabel('Rows a page').selectOption('5')
  await expect(page).toHaveURL(/rows=5/)
})

test('uploads are requested from all pharmacies that match, and the outcome of each is shown', async ({ page }) => {
  const word = unique('Gilgandra').replaceAll(' ', '-')
  for (const end of ['A', 'B', 'C']) {
    await addPharmacy('Kestrel Health Group', `${word} ${end}`, '2827')
    await giveStrongPro(`${word} ${end}`)
  }
  // Five rows per page, so that an additional pharmacy would not be among those shown.
  await open(page, `${LIST}&rows=5`, 'support')
  await find(page, 'Find a pharmacy', word)
  await expect(page.getByText('3 pharmacies', { exact: true })).toBeVisible()
  await row(page, `${word} B`).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Select All Matching (3)' }).click()
  await page.getByRole('button', { name: 'Request upload from 3 pharmacies' }).click()
  await dialog(page, 'Request an upload from 3 pharmacies?')
    .getByRole('button', { name: 'Request upload from 3 pharmacies' })
    .click()
  // None of them has a data source yet: each says so.
  const results = dialog(page, 'Upload requested from 0 of 3 pharmacies')
  await expect(results.getByRole('row').filter({ hasText: 'Please select a data source.' })).toHaveCount(3)
  await expectAccessible(page, 'results of requests', OPENED)
  await results.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('region', { name: 'Selected' })).toHaveCount(0)
})

test('the time of a requested upload has the country’s format', async ({ page }) => {
  await page.route('**/api/refresh', async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, company: { ...answer.company, country: 'US' } } })
  })
  await open(page, '/settings?tab=0&find=Saltbush', 'support')
  await page.getByRole('button', { name: /^Details of Saltbush/ }).click()
  await page
    .getByRole('region', { name: 'Pharmacies' })
    .getByRole('button', { name: /^More about / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /upload/i }).click()
  const history = dialog(page, /^Pharmacy Upload History/)
  await history.getByLabel('Advanced Options').check()
  const from = history.getByRole('button', { name: 'From Time (UTC)' })
  await expect(from).toHaveText('mm/dd/yyyy hh:mm')
  await from.click()
  const day = page.getByRole('gridcell').or(page.locator('td')).getByRole('button', { name: /^28 / })
  await day.click()
  await page.keyboard.press('Escape')
  await expect(from).toHaveText(/^\d\d\/28\/\d{4} /)
})

test('the row of a pharmacy shows an upload request at once', async ({ page }) => {
  const company = unique('Gulgong Group')
  const name = unique('Gulgong Pharmacy')
  await addPharmacy(company, name, '2852')
  await giveStrongPro(name)
  await open(page, `/settings?tab=0&find=${encodeURIComponent(company)}`, 'support')
  await page.getByRole('button', { name: `Details of ${company}` }).click()
  const line = page.getByRole('region', { name: 'Pharmacies' }).getByRole('row', { name })
  await expect(line).toContainText('Never uploaded')
  await page.getByRole('button', { name: `More about ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Pharmacy Upload History' }).click()
  const history = dialog(page, /^Pharmacy Upload History/)
  await history.getByLabel('Data source').selectOption({ label: 'Minfos' })
  await history.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Upload successfully requested.', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(line).toContainText('Requested')
})
