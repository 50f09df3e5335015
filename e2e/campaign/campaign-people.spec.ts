import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, SILENT, STOPS, texted } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

test('a patient who answers STOP is held back from the next cohort', { tag: '@main' }, async ({ page }) => {
  test.setTimeout(240_000)
  const network = await makeNetwork({
    people: [texted({}, SILENT), texted({}, SILENT), texted({}, STOPS)],
    campaign: 'Repeats due',
  })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  const campaigns = dialog(page, 'Campaigns')
  await campaigns.getByRole('button', { name: 'Activate…' }).click()
  const sure = dialog(page, /^Send “Repeats due”/)
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: 'Send 3 texts, $0.36' }).click()
  await expect(campaigns.getByRole('button', { name: 'Cancel sending' })).toBeVisible({ timeout: 30_000 })
  await network.endHold()
  await expect
    .poll(
      () =>
        network.sql('select 1 from consent where patient_id = $1 and sms_health_outreach = $2', [
          network.patients[2],
          'out',
        ]),
      { timeout: 90_000 },
    )
    .toHaveLength(1)

  await page.goto('/campaigns?dialog=new-campaign')
  const form = dialog(page, 'New campaign')
  await form.getByRole('button', { name: /^Pharmacies/ }).click()
  await page.getByRole('option', { name: network.pharmacies[0]!.name }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('checkbox', { name: new RegExp(network.template) }).check()
  await form.getByRole('button', { name: 'Refine Cohort' }).click()
  const cohort = dialog(page, /^Refine Cohort/)
  await cohort.getByRole('group', { name: 'Adherence' }).getByRole('button', { name: /^2/ }).click()
  await expect(cohort.getByRole('button', { name: 'Save cohort of 2' })).toBeVisible()
  await expect(cohort.getByText('of 3 who match')).toBeVisible()
  await expect(cohort.locator('dl div', { hasText: /opted out/i })).toHaveText(/1$/)
})

test('a cap in the sending rules holds back patients who have had a text', async ({ page }) => {
  test.setTimeout(120_000)
  const network = await makeNetwork({ people: [texted(), texted()], campaign: 'Repeats due' })
  await network.sql(
    `insert into contact_history (company_id, contact, sent)
     select $1, sms_to, array[now() - interval '1 day'] from patient where id = $2`,
    [network.company.id, network.patients[0]],
  )
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await dialog(page, 'Campaigns').getByRole('button', { name: 'Activate…' }).click()
  await expect(dialog(page, /^Send /).getByRole('button', { name: 'Send 2 texts, $0.24' })).toBeVisible()

  await page.goto('/campaigns?dialog=sending-rules')
  const rules = dialog(page, 'Sending rules')
  await rules.getByLabel('Messages', { exact: true }).fill('1')
  await rules.getByRole('button', { name: 'Save…' }).click()
  const sure = dialog(page, 'Save the sending rules?')
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: 'Save rules' }).click()
  await expect(page.getByText('Sending rules saved')).toBeVisible()
  await expect(rules).toHaveCount(0)

  await page.goto('/campaigns?dialog=campaigns')
  await dialog(page, 'Campaigns').getByRole('button', { name: 'Activate…' }).click()
  const send = dialog(page, /^Send /)
  await expect(send.getByRole('button', { name: 'Send 1 text, $0.12' })).toBeVisible()
  await expect(send).toContainText('1 patient is held back.')
})

test('a recommended campaign is opened from the page, adopted and activated', { tag: '@main' }, async ({ page }) => {
  test.setTimeout(180_000)
  const network = await makeNetwork({ people: [texted(), texted()] })
  const ask = await open(page, '/campaigns', network.username)
  const { campaigns: offered } = await ask<{ campaigns: { name: string; goal: number }[] }>(
    'campaign-recommendation/company/list',
    { page: 1, search_term: '', new: true },
  )
  await page
    .getByRole('region', { name: 'Recommended by Pillar' })
    .getByRole('button', { name: /^See all/ })
    .click()
  const all = dialog(page, 'Recommendations')
  const { name } = offered[0]!
  await all
    .getByRole('list', { name: 'Recommendations' })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  await expect(all.getByLabel('Campaign name')).toHaveValue(name)
  await all.getByRole('button', { name: 'Activate…' }).click()
  await expect(all.getByRole('alert')).toHaveText('Please select at least one pharmacy.')
  await all.getByRole('button', { name: 'Save as inactive' }).click()
  await all.getByRole('button', { name: /^Pharmacies/ }).click()
  await page.getByRole('option', { name: network.pharmacies[0]!.name }).click()
  await page.keyboard.press('Escape')
  // For the two people of this network instead of the original ones.
  await all.getByRole('button', { name: 'Refine Cohort' }).click()
  const cohort = dialog(page, /^Refine Cohort/)
  await cohort.getByRole('button', { name: 'Reset' }).click()
  await cohort.getByRole('group', { name: 'Adherence' }).getByRole('button', { name: /^2/ }).click()
  await cohort.getByRole('button', { name: /^Save cohort of/ }).click()
  await all.getByRole('button', { name: 'Activate…' }).click()
  const sure = dialog(page, `Send “${name}”?`)
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: /^Send 2 texts/ }).click()
  const campaigns = dialog(page, 'Campaigns')
  await expect(campaigns.getByRole('heading', { name, level: 3 })).toBeVisible({ timeout: 30_000 })
  await expect(campaigns.getByText('Recommended').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Active campaigns' }).getByRole('heading', { name })).toBeVisible()
})

test('a recommended template is adopted', async ({ page }) => {
  test.setTimeout(120_000)
  const network = await makeNetwork()
  const ask = await open(page, '/campaigns?dialog=recommendations&type=template', network.username)
  const { templates } = await ask<{ templates: { name: string }[] }>('template-recommendation/company/list', {
    page: 1,
    search_term: '',
  })
  const { name } = templates[0]!
  const all = dialog(page, 'Recommendations')
  await all
    .getByRole('list', { name: 'Recommendations' })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  await all.getByRole('button', { name: /^Activate/ }).click()
  const sure = page.getByRole('dialog').last()
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: /^Activate/ }).click()
  await expect(dialog(page, 'Templates').getByRole('heading', { name, level: 2 })).toBeVisible()
  await expect(dialog(page, 'Templates').getByText('Recommended').first()).toBeVisible()
})
