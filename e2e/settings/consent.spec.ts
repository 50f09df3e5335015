import { expect, test } from '@playwright/test'
import { expectAccessibleInBoth, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open } from '../support/people.ts'
import { confirm, find } from '../support/settings.ts'

const WORDS = 'Messages about your medicines\nSMS Health Outreach: Yes'

test('support looks up what a patient had agreed to on a day, and prints it', { tag: '@main' }, async ({ page }) => {
  const network = await makeNetwork({ people: [texted({ last_name: 'Bluebush' })], reached: true })
  const [pharmacy, patient] = [network.pharmacies[0]!, network.patients[0]!]
  const [{ number } = { number: '' }] = await network.sql<{ number: string }>(
    'select source_id as number from patient where location_id = $1 and id = $2',
    [pharmacy.id, patient],
  )
  await network.sql(`update location set time_zone = 'Australia/Sydney' where id = $1`, [pharmacy.id])
  const [entry] = await network.sql<{ id: number }>(
    `insert into consent_entry (location_id, uuid, patient_id, at, type, answers, wording, source)
     values ($1, gen_random_uuid(), $2, '2026-03-02T23:15:00Z', 'form', '{"health_outreach_sms_consent": true}', $3, 'consent page')
     returning id`,
    [pharmacy.id, patient, WORDS],
  )
  await network.sql(
    `insert into consent_entry (location_id, uuid, patient_id, at, type, wording, source)
     values ($1, gen_random_uuid(), $2, '2026-03-03T13:00:00Z', 'stop', 'STOP texting', 'reply')`,
    [pharmacy.id, patient],
  )
  await network.sql(
    `update message set sent_at = '2026-03-03T01:00:00Z', rule = 'Health outreach: agreed to', consent_entry_id = $3
     where location_id = $1 and patient_id = $2`,
    [pharmacy.id, patient, entry!.id],
  )
  await open(page, '/settings', 'support')
  await find(page, 'Find a company', network.company.name)
  await page.getByRole('button', { name: `Details of ${network.company.name}` }).click()
  await page.getByRole('button', { name: `More about ${pharmacy.name}` }).click()
  await page.getByRole('menuitem', { name: 'Consent on a day' }).click()
  const asked = dialog(page, 'Consent on a day')
  await expect(asked.getByLabel('Patient number')).toBeFocused()
  await asked.getByRole('button', { name: 'Look it up…' }).click()
  await expect(asked.getByText(/enter the day/i).first()).toBeVisible()
  await asked.getByLabel('Patient number').fill(number)
  await asked.getByLabel('Last name').fill('Saltbush')
  await asked.getByLabel('Day', { exact: true }).fill('03/03/2026')
  await asked.getByLabel('Reason').fill('Ticket 1190')
  await expectAccessibleInBoth(page, 'what is asked', OPENED)
  await asked.getByRole('button', { name: 'Look it up…' }).click()
  await confirm(page, 'Look it up')
  await expect(page.getByText(/has no patient with that number and last name/)).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await asked.getByLabel('Last name').fill('Bluebush')
  await asked.getByRole('button', { name: 'Look it up…' }).click()
  await confirm(page, 'Look it up')

  const answer = dialog(page, `Consent of patient ${number}`)
  await expect(answer).toContainText('3 Mar 2026, 11:59 pm')
  const choices = answer.getByLabel('Choices')
  await expect(choices).toContainText('SMS health outreachAgreedSince 3 Mar 2026, 10:15 am, Consent page')
  await expect(choices).toContainText('SMS marketingNo answer, so not allowed')
  await expect(choices).toContainText('Email health outreachNo answer, so allowed until they say no')
  await expect(answer.getByRole('list', { name: 'Entries' }).getByRole('listitem')).toHaveCount(1)
  await expect(answer).not.toContainText('STOP texting')
  const sent = answer.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await expect(sent).toContainText(
    /SMS 3 Mar 2026, 12:00 pm.*Campaign, template Repeat due.*Health outreach: agreed to\. Entry of 3 Mar 2026, 10:15 am/,
  )
  await expectAccessibleInBoth(page, 'the answer', OPENED)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessibleInBoth(page, 'the answer on a phone', OPENED)
  const cut = await answer.evaluate(
    (box) => [...box.querySelectorAll('*')].filter((one) => one.scrollWidth > box.clientWidth + 1).length,
  )
  expect(cut).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.evaluate(() => Object.assign(window, { print: () => document.body.setAttribute('data-printed', '') }))
  await answer.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed', '')
  await page.emulateMedia({ media: 'print' })
  await expect(answer.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(answer.getByText(WORDS.split('\n')[1]!).first()).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const rows = await network.sql<{ detail: object }>(
    `select detail from audit where company_id = $1 and action = 'consentAdmin.asOf'`,
    [network.company.id],
  )
  expect(rows.map(({ detail }) => detail)).toEqual([{ reason: 'Ticket 1190', entries: 1, messages: 1 }])
})
