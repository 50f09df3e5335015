import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open } from '../support/people.ts'
import { confirm, find } from '../support/settings.ts'

test.setTimeout(120_000)

const pharmacies = (page: Page) => page.getByRole('region', { name: 'Pharmacies' })

/** Opens one of a company's pharmacies. */
async function openPharmacy(page: Page, company: string, pharmacy: string): Promise<void> {
  await find(page, 'Find a company', company)
  await page.getByRole('button', { name: `Details of ${company}` }).click()
  await pharmacies(page)
    .getByRole('button', { name: `Details of ${pharmacy}` })
    .click()
}

/** Opens one of a company's pharmacies and selects an act. */
async function act(page: Page, company: string, pharmacy: string, name: string): Promise<void> {
  await openPharmacy(page, company, pharmacy)
  await again(page, name)
}

/** Selects another act of the open pharmacy. */
async function again(page: Page, name: string): Promise<void> {
  await pharmacies(page).getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** The text of the newest letter with that subject, once it has arrived. */
async function letter(page: Page, subject: string): Promise<string> {
  const row = page.getByRole('row').filter({ hasText: subject }).first()
  await expect(async () => {
    await page.goto('/outbox')
    await expect(row).toBeVisible({ timeout: 3_000 })
  }).toPass({ timeout: 60_000 })
  await row.getByRole('button', { name: /^Details of/ }).click()
  return (await page.getByRole('article', { name: subject }).first().textContent()) ?? ''
}

test('a pharmacy’s messages: batches without text, and a text only for a reason, which the company’s log keeps', {
  tag: '@main',
}, async ({ page }) => {
  const network = await makeNetwork({ people: [texted({ first_name: 'Ines' })], reached: true })
  const pharmacy = network.pharmacies[0]!
  await open(page, '/settings', 'support')
  // Sending counts the batch; here nothing was sent.
  await network.sql('insert into recount_queue (location_id, company_id) values ($1, $2) on conflict do nothing', [
    pharmacy.id,
    network.company.id,
  ])
  const queued = 'select from recount_queue where location_id = $1'
  await expect.poll(() => network.sql(queued, [pharmacy.id]), { timeout: 30_000 }).toHaveLength(0)
  await openPharmacy(page, network.company.name, pharmacy.name)
  // An opened row does not widen the table: the acts of each row stay in view.
  const box = pharmacies(page).getByRole('table').first().locator('..')
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await pharmacies(page).getByRole('button', { name: 'Message Info' }).click()
  const info = dialog(page, `Message info: ${pharmacy.name}`)
  await expect(info.getByRole('listitem')).toHaveCount(1)
  await expect(info.getByText('1 batch', { exact: true })).toBeVisible()
  await expect(info.getByText('Delivered 1')).toBeVisible()
  await expect(info).not.toContainText('Ines')
  await network.sql(
    `insert into gateway_pace (gateway, next_at, reason, refused_since, refused_at)
     values ('e2e sms', now(), 'The account at the gateway has no credit.', now(), now())`,
  )
  await info.getByLabel('Find a message batch').fill(pharmacy.name)
  await expect(
    info.getByText(/Texts have been waiting since .* The account at the gateway has no credit\./),
  ).toBeVisible()
  await expectAccessible(page, 'Message info', OPENED)
  await network.sql(`delete from gateway_pace where gateway = 'e2e sms'`)
  await info.getByLabel('Find a message batch').clear()
  await info.getByLabel('From').fill('01/01/2999')
  await info.getByLabel('From').press('Enter')
  await info.getByLabel('From').press('Escape')
  await expect(info.getByText('No records found')).toBeVisible()
  // The text typed last is not a date: once cleared, the field is empty and shows no note about it.
  await info.getByLabel('From').fill('31/02/2999')
  await info.getByLabel('From').press('Tab')
  await expect(info.getByText('There is no such date.')).toBeVisible()
  await info.getByRole('button', { name: 'Clear filters' }).click()
  await expect(info.getByLabel('From')).toHaveValue('')
  await expect(info.getByText('There is no such date.')).toHaveCount(0)
  await info.getByRole('button', { name: /^Read the messages of/ }).click()

  const why = dialog(page, 'Why do you need to read these messages?')
  await why.getByRole('button', { name: 'Read the messages' }).click()
  await expect(why.getByRole('alert')).toHaveText('Please enter a reason, such as a ticket number.')
  await expect(page.getByText('Hi Ines')).toHaveCount(0)
  await why.getByLabel('Reason').fill('Ticket 1182')
  await why.getByRole('button', { name: 'Read the messages' }).click()
  const texts = dialog(page, /^Messages of/)
  await expect(texts.getByRole('list', { name: 'Messages' }).getByText(/Hi Ines/)).toBeVisible()
  await expectAccessible(page, 'the texts', OPENED)
  const [row] = await network.sql<{ detail: object }>(
    `select detail from audit where company_id = $1 and action = 'runAdmin.read'`,
    [network.company.id],
  )
  expect(row?.detail).toEqual({ reason: 'Ticket 1182', messages: 1 })
})

test('a fake patient is reached only at a number support has confirmed, is marked, and is removed', async ({
  page,
  context,
}) => {
  const network = await makeNetwork({ people: [texted()], campaign: 'Flu shots' })
  const pharmacy = network.pharmacies[0]!
  await open(page, '/settings', 'support')
  await act(page, network.company.name, pharmacy.name, 'Fake Patients')
  const fakes = dialog(page, `Fake patients: ${pharmacy.name}`)
  await expect(fakes.getByText('Not real people')).toBeVisible()
  await expect(fakes.getByText('No records found')).toBeVisible()
  await expect(fakes.getByRole('button', { name: 'Send test' })).toBeDisabled()

  const address = `support-${Date.now()}@pillar.example`
  await fakes.getByRole('button', { name: 'Confirm a number or address' }).click()
  const asking = dialog(page, 'Confirm a number or address')
  await asking.getByLabel('By').selectOption('email')
  await asking.getByRole('button', { name: 'Send code' }).click()
  await expect(asking.getByRole('alert')).toHaveText('Please enter your own mobile number or email address.')
  await asking.getByLabel('Email address').fill(address)
  await asking.getByRole('button', { name: 'Send code' }).click()
  const code = dialog(page, 'Enter the code')
  await code.getByLabel('Code').fill('1')
  await code.getByRole('button', { name: 'Confirm' }).click()
  await expect(code.getByText('That code is wrong. 4 tries left.')).toBeVisible()
  // A green tick at the foot would suggest that something was done.
  await expect(page.getByText('Nothing was confirmed')).toHaveCount(0)
  const other = await context.newPage()
  const sent = /(\d{6}) is your/.exec(await letter(other, 'Your Pillar code'))?.[1] ?? ''
  await other.close()
  await code.getByLabel('Code').fill(sent)
  await code.getByRole('button', { name: 'Confirm' }).click()
  await expect(fakes.getByText(/Confirmed until/).first()).toBeVisible()

  await fakes.getByRole('button', { name: 'Add fake patient' }).click()
  const form = dialog(page, 'Add fake patient')
  await expect(form.getByLabel('ID', { exact: true })).toBeDisabled()
  const first = await form.getByLabel('ID', { exact: true }).inputValue()
  await form.getByRole('button', { name: 'Refresh the ID' }).click()
  await expect(form.getByLabel('ID', { exact: true })).not.toHaveValue(first)
  await form.getByLabel('First name').fill('Testa')
  await form.getByLabel('Leaked scripts').fill('3')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'Please enter a last name and enter no more leaked scripts than total scripts.',
  )
  await expectAccessible(page, 'a fake patient', OPENED)
  await form.getByLabel('Last name').fill('Person')
  await form.getByLabel('Total scripts').fill('9')
  await form.getByLabel('Email', { exact: true }).selectOption(address)
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Add fake patient')
  await expect(fakes.getByText('Testa Person')).toBeVisible()
  await expect(fakes.getByText(`Email ${address}`)).toBeVisible()
  await expect(fakes.getByText('Fake patient', { exact: true })).toBeVisible()
  await expectAccessible(page, 'Fake patients', OPENED)

  await fakes.getByLabel('Campaign').selectOption('Flu shots')
  await fakes.getByRole('button', { name: 'Send test' }).click()
  await confirm(page, 'Send test')
  await expect(page.getByText('0 test messages on the way, 1 held back.')).toBeVisible()

  await fakes.getByRole('button', { name: 'Remove Testa Person' }).click()
  await expect(page.getByText('Are you sure you want to remove this fake patient?')).toBeVisible()
  await confirm(page, 'Remove')
  await expect(page.getByText('Fake patient successfully removed.')).toBeVisible()
  await expect(fakes.getByText('No records found')).toBeVisible()
})

test('both reports are mailed to somebody in the company and downloaded once', async ({ page, browser }) => {
  const network = await makeNetwork({ people: [texted({ first_name: 'Ines' })], reached: true })
  const pharmacy = network.pharmacies[0]!
  await network.sql('update location set data_to = current_date where id = $1', [pharmacy.id])
  await open(page, '/settings', 'support')
  await act(page, network.company.name, pharmacy.name, 'Message History Report')
  const history = dialog(page, 'Generate Message History Report')
  await history.getByRole('button', { name: 'Generate Report' }).click()
  await expect(history.getByRole('alert')).toHaveText('Please choose who gets the report by email.')
  await history.getByLabel('Email').selectOption(network.email)
  await history.getByRole('button', { name: 'Generate Report' }).click()
  await expect(page.getByText('Report Successfully Generated.').first()).toBeVisible()
  await again(page, '60 Day Dispensing Report')
  const sixty = dialog(page, '60 Day Dispensing Report')
  await sixty.getByLabel('Email').selectOption(network.email)
  await sixty.getByRole('button', { name: 'Generate Report' }).click()
  await expect(sixty).toHaveCount(0)

  const stranger = await browser.newContext()
  const theirs = await stranger.newPage()
  for (const [subject, file] of [
    [`Message history of ${pharmacy.name}`, /patient list/],
    [`60 Day Dispensing Report of ${pharmacy.name}`, /60 day dispensing/],
  ] as const) {
    const path = /\/download-file\/[\w-]+/.exec(await letter(page, subject))?.[0] ?? ''
    const download = theirs.getByRole('button', { name: 'Download' })
    await theirs.goto(path)
    const [saved] = await Promise.all([theirs.waitForEvent('download'), download.click()])
    expect(saved.suggestedFilename()).toMatch(file)
    await theirs.goto(path)
    await download.click()
    await expect(theirs.getByText('This link has expired. Return to Pillar to create a new link.')).toBeVisible()
  }
  await stranger.close()
})
