import { choiceAt, periodDates, periodLabel, periodOf } from '@pillar/domain/time/period'
import { dayIn } from '@pillar/domain/time/zone'
import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { grid, settled } from '../support/grid.ts'
import { addPerson, addPharmacy, upload } from '../support/install.ts'
import { fillIn, PASSWORD } from '../support/people.ts'
import { writeRecord } from '../support/record.ts'

const COUNTRIES = [
  { country: 'GB', zone: 'Europe/London', postcode: 'LS1 4AP', code: 'Postcode', states: 0, money: '£', part: '12p' },
  { country: 'US', zone: 'America/New_York', postcode: '02139', code: 'ZIP code', states: 1, money: '$', part: '12c' },
] as const

for (const { country, zone, postcode, code, states, money, part } of COUNTRIES) {
  test(`${country}: its address, money, dates, miles and words`, async ({ page }) => {
    test.setTimeout(120_000)
    const stamp = Date.now()
    const company = `${country} Chemists ${stamp}`
    const person = `${country.toLowerCase()}-${stamp}`
    const key = await addPharmacy(company, 'High Street', postcode, '--country', country)
    await addPerson(company, country, person)
    await upload(key, 'canonical', await writeRecord([{ script: '1', patient: '1', paid: '1290.40' }]))

    const base = `/en_${country.toLowerCase()}`
    await page.goto(`${base}/financials`)
    await expect(page).toHaveURL(`${base}/login`)
    await fillIn(page, person, PASSWORD)
    await expect(page).toHaveURL(`${base}/financials`)
    await settled(page)
    // In between, the row may say that the pharmacy is late: its record ends two days ago.
    const row = grid(page).getByRole('row', { name: new RegExp(`^High Street .*${postcode}`) })
    await expect(row).toContainText(`${money}1,300`)
    const year = choiceAt(country, 'year', dayIn(zone, new Date()))
    const period = page.getByRole('button', { name: new RegExp(`^${periodLabel(country, year)}`) })
    const dates = periodDates(country, periodOf(country, year), dayIn('Australia/Sydney', new Date()) - 2)
    await expect(period).toContainText(dates.slice(0, 5))

    await page.getByRole('button', { name: /^Filter$/ }).click()
    const filter = dialog(page, 'Filter Category')
    await filter.getByLabel(code).fill(postcode.toLowerCase())
    await expect(filter.getByLabel(code)).toHaveValue(postcode)
    await expect(filter.getByText('State', { exact: true })).toHaveCount(states)
    await filter.getByRole('button', { name: /^Show \d+ pharmac/ }).click()
    await expect(page.getByRole('button', { name: `${code} ${postcode}`, exact: true })).toBeVisible()
    await expect(row).toBeVisible()

    await page.goto(`${base}/campaigns`)
    await expect(page.getByText(`A text costs ${part} a part.`)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Cost', exact: true })).toContainText(`${money}0.00`)
    await page.getByRole('button', { name: 'New campaign' }).click()
    await expect(page).toHaveURL(`${base}/campaigns?dialog=new-campaign`)
    await dialog(page, 'New campaign').getByRole('button', { name: 'Refine Cohort' }).click()
    const cohort = dialog(page, /^Refine Cohort/)
    await expect(cohort.getByRole('group', { name: 'Distance from store' }).getByRole('button').first()).toHaveText(
      / mi$/,
    )
    await expect(cohort.getByText('60 Day Dispensing')).toHaveCount(0)
    await page.goto(`${base}/campaigns?dialog=ai-help`)
    await expect(dialog(page, 'AI help').getByText('Medicare')).toHaveCount(0)
    await page.goto(`${base}/sixtydd`)
    await expect(page.getByText('Sixty Day Dispensing is for Australia only')).toBeVisible()
    await page.goto(`${base}/no-such-page`)
    await page.getByRole('link', { name: 'Open the start page' }).click()
    await expect(page).toHaveURL(base)
    await expect(page.getByRole('heading', { name: 'Financials' })).toBeVisible()
  })
}
