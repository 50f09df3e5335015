import { expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, type Network } from '../support/messaging.ts'
import { open } from '../support/people.ts'
import { confirm, find } from '../support/settings.ts'

test.setTimeout(120_000)

const pharmacies = (page: Page) => page.getByRole('region', { name: 'Pharmacies' })

/** Opens the only pharmacy of a company in the console. */
async function openPharmacy(page: Page, { company, pharmacies: [pharmacy] }: Network): Promise<void> {
  await open(page, '/settings', 'support')
  await find(page, 'Find a company', company.name)
  await page.getByRole('button', { name: `Details of ${company.name}` }).click()
  await pharmacies(page)
    .getByRole('button', { name: `Details of ${pharmacy!.name}` })
    .click()
}

const act = async (page: Page, name: string) => {
  await pharmacies(page).getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('a pharmacy’s own hours and frequency limit are set and given up one without the other', async ({ page }) => {
  const network = await makeNetwork()
  const { id, name } = network.pharmacies[0]!
  const form = dialog(page, `Sending rules: ${name}`)
  const own = async () => {
    const [row] = await network.sql(
      `select l.sms_sender, l.sms_sender_registered, m.week, m.holidays_quiet, m.cap_messages, m.cap_hours
       from location l left join location_messaging m on m.location_id = l.id where l.id = $1`,
      [id],
    )
    return row
  }
  const save = async (expected: object) => {
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await confirm(page, 'Save rules')
    await expect.poll(own).toEqual(expected)
    await expect(form).toHaveCount(0)
  }
  await openPharmacy(page, network)
  await act(page, 'Sending rules')
  await expect(form.getByLabel('Monday from')).toHaveCount(0)
  await form.getByLabel('Sender name or number').fill('Harbour')
  await form.getByLabel('The name is registered').check()
  await form.getByLabel('Registration', { exact: true }).fill('ACMA 4471')
  await form.getByLabel('Use its own frequency limit').check()
  await form.getByLabel('Messages', { exact: true }).fill('1')
  await form.getByLabel('Length of time').fill('36')
  await form.getByLabel('Unit of time').selectOption('hours')
  const sender = { sms_sender: 'Harbour', sms_sender_registered: true }
  const cap = { cap_messages: 1, cap_hours: 36 }
  await save({ ...sender, week: null, holidays_quiet: null, ...cap })

  await act(page, 'Sending rules')
  await expect(form.getByLabel('Length of time')).toHaveValue('36')
  await expect(form.getByLabel('Unit of time')).toHaveValue('hours')
  await form.getByLabel('Use its own hours').check()
  await form.getByRole('switch', { name: 'Sunday' }).uncheck()
  await form.getByRole('checkbox', { name: 'Monday, all day' }).uncheck()
  await form.getByLabel('Monday to').fill('12:30')
  const day = [0, 1440]
  const hours = { week: [[540, 750], day, day, day, day, day, null], holidays_quiet: false }
  await save({ ...sender, ...hours, ...cap })

  await act(page, 'Sending rules')
  await expect(form.getByLabel('Monday to')).toHaveValue('12:30')
  await form.getByLabel('Use its own frequency limit').uncheck()
  await save({ ...sender, ...hours, cap_messages: null, cap_hours: null })
})

test('a pharmacy keeps all that is not changed when its phone number is', async ({ page }) => {
  const network = await makeNetwork()
  const { id, name } = network.pharmacies[0]!
  await network.sql(
    `update location set no_guild_consent = true, features = '{beta}', s8_stocktake_warning_days = 21, data_source = 'fred',
       town = 'Wollongong', region = 'NSW', postcode = '2500', street_address = '48 Harbour Street', phone_number = '02 5550 4471',
       owner_login_id = (select id from login where username = $2) where id = $1`,
    [id, network.username],
  )
  const stored = async () => (await network.sql('select * from location where id = $1', [id]))[0]!
  const before = await stored()
  await openPharmacy(page, network)
  await pharmacies(page)
    .getByRole('button', { name: `Edit ${name}` })
    .click()
  const form = dialog(page, 'Edit pharmacy')
  await form.getByLabel('Phone').fill('02 5550 9000')
  await form.getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Edit pharmacy')
  await expect(page.getByText('Pharmacy Edited Successfully.')).toBeVisible()
  const { version, updated_at } = await stored()
  expect(await stored()).toEqual({ ...before, version, updated_at, phone_number: '02 5550 9000' })
})
