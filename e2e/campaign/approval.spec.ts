import { expect, type Page, test } from '@playwright/test'
import { openPools } from '../../apps/server/src/db/database.ts'
import { runningEmbedded } from '../../apps/server/src/db/embedded/embedded.ts'
import { createLogin } from '../../apps/server/src/features/session/login.queries.ts'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

/** A second person in a company, who may send campaigns. @returns the name to sign in with */
async function colleague(companyId: number, first_name: string): Promise<string> {
  const pools = openPools((await runningEmbedded(process.env.E2E_DATA_DIR!, 'owner'))!, () => {}, 1)
  try {
    const username = `${first_name.toLowerCase()}-${companyId}-${Date.now()}`
    const login = { companyId, username, email: `${username}@e2e.example`, first_name, last_name: 'Second' }
    await createLogin(pools.system, { ...login, flags: ['data_analytics'], password: PASSWORD })
    return username
  } finally {
    await pools.close()
  }
}

const shot = async (page: Page, name: string) => {
  await page.screenshot({ path: test.info().outputPath(`${name}.png`) })
}

test('a campaign is approved by a second person, changed, approved again and sent', { tag: '@main' }, async ({
  browser,
}) => {
  // Two people, and a password for each decisive step.
  test.slow()
  const network = await makeNetwork({ people: Array.from({ length: 8 }, () => texted()), campaign: 'Winter' })
  const second = await colleague(network.company.id, 'Bea')
  await network.sql(
    'update campaign set created_by = (select id from login where username = $2) where company_id = $1',
    [...[network.company.id, network.username]],
  )
  const author = await (await browser.newContext({ colorScheme: 'light' })).newPage()
  const other = await (
    await browser.newContext({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
  ).newPage()

  // Head office switches it on, beside frequency limit and quiet hours.
  await open(author, '/campaigns?dialog=sending-rules', network.username)
  await author.getByLabel('A second person approves each campaign').check()
  await shot(author, 'rules')
  await author.getByRole('button', { name: 'Save…' }).click()
  await author.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await author.getByRole('button', { name: 'Save rules' }).click()
  await expect(author.getByText('Sending rules saved')).toBeVisible()

  // A new campaign can be saved, but not sent at once.
  await author.goto('/campaigns?dialog=new-campaign')
  await expect(author.getByText('Save it, then ask a second person to approve it.')).toBeVisible()
  await expect(author.getByRole('button', { name: 'Activate…' })).toHaveCount(0)
  await shot(author, 'form')

  // Its author can request approval, but not send it.
  await author.goto('/campaigns?dialog=campaigns')
  const approval = author.getByRole('region', { name: 'Approval', exact: true })
  await expect(approval).toContainText(
    'It is sent only once a second person has approved it. Bea Second can approve it.',
  )
  await expect(author.getByRole('button', { name: 'Activate…' })).toBeDisabled()
  await approval.getByRole('button', { name: 'Ask for approval…' }).click()
  await expect(author.getByLabel('Maximum number of people')).toHaveValue('9')
  await expectAccessible(author, 'asking for approval', OPENED)
  await shot(author, 'ask')
  await author.getByRole('dialog').last().getByRole('button', { name: 'Ask for approval', exact: true }).click()
  await expect(approval).toContainText('Waiting for approval by a second person. Test Person asked on')
  await expect(approval.getByRole('button')).toHaveCount(0)

  // The second person sees the waiting campaign, looks at it, and approves.
  await open(other, '/campaigns', second)
  const waiting = other.getByRole('region', { name: 'Waiting for approval' })
  await expect(waiting).toContainText('1 campaign waits for your approval')
  await shot(other, 'waiting')
  await expect(waiting.getByRole('link', { name: 'Winter' })).toBeVisible()
  // An email leads there too.
  const subject = 'Please approve a campaign: Winter'
  const row = other.getByRole('row').filter({ hasText: subject }).filter({ hasText: second })
  await expect(async () => {
    await other.goto('/outbox')
    await expect(row).toHaveCount(1, { timeout: 3_000 })
  }).toPass({ timeout: 60_000 })
  await row.getByRole('button', { name: /^Details of/ }).click()
  const letter = other.getByRole('article', { name: subject })
  await expect(letter).toContainText(
    'Test Person asks for approval of the campaign “Winter”, for up to 9 people and $2.00.',
  )
  await shot(other, 'letter')
  await other.goto(new URL((await letter.getByRole('link').getAttribute('href')) ?? '', other.url()).pathname)
  await other.getByRole('button', { name: 'Approve…' }).click()
  const dialog = other.getByRole('dialog', { name: 'Approve “Winter”?' })
  await expect(dialog).toContainText('Repeat due, text, as Alex Smith of')
  // The focus starts at the text to read, not in a field below it.
  await expect(dialog.locator(':focus')).toContainText('Repeat due, text, as Alex Smith of')
  await expectAccessible(other, 'approving', OPENED)
  await shot(other, 'approve')
  const password = dialog.getByLabel('Password', { exact: true })
  await password.fill('wrong')
  await dialog.getByRole('button', { name: 'Approve up to 9 people and $2.00' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Incorrect username or password.')
  // The note takes room on a phone: the field to correct is still in view.
  await expect(password).toBeInViewport({ ratio: 1 })
  await password.fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Approve up to 9 people and $2.00' }).click()
  const seen = other.getByRole('region', { name: 'Approval', exact: true })
  await expect(seen).toContainText(/Approved by Bea Second on .* for up to 9 people and \$2\.00/)
  await shot(other, 'approved')

  // Changing a template ends it.
  await network.sql(`update template set body = body || ' Call us.' where company_id = $1`, [network.company.id])
  await author.reload()
  await expect(approval).toContainText('Changed since it was approved: the text of “Repeat due”.')
  await expect(author.getByRole('button', { name: 'Activate…' })).toBeDisabled()
  await shot(author, 'changed')
  await approval.getByRole('button', { name: 'Ask for approval…' }).click()
  await author.getByRole('dialog').last().getByRole('button', { name: 'Ask for approval', exact: true }).click()
  await expect(approval).toContainText('Waiting for approval')

  // Declined with a reason first, then approved.
  await other.reload()
  await seen.getByRole('button', { name: 'Decline…' }).click()
  await other.getByRole('dialog').getByLabel('Reason').fill('No phone number in it.')
  await shot(other, 'decline')
  await other.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(seen).toContainText('No phone number in it.')
  await author.reload()
  await expect(approval).toContainText(/Declined by Bea Second on .*: No phone number in it\./)
  await approval.getByRole('button', { name: 'Ask for approval…' }).click()
  await author.getByRole('dialog').last().getByRole('button', { name: 'Ask for approval', exact: true }).click()
  await expect(approval).toContainText('Waiting for approval')
  await other.reload()
  await seen.getByRole('button', { name: 'Approve…' }).click()
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: /^Approve up to/ }).click()
  await expect(seen).toContainText('Approved by Bea Second')

  await author.reload()
  await author.getByRole('button', { name: 'Activate…' }).click()
  await author.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await author.getByRole('button', { name: /^Send 8 texts/ }).click()
  await expect(author.getByRole('button', { name: 'Deactivate…' })).toBeVisible()
  await expect(approval).toContainText('Sending it again needs another approval.')
  await shot(author, 'sent')
  await author.context().close()
  await other.context().close()
})

test('a campaign that changes while a second person looks at it cannot be approved, and is then shown in its new state', async ({
  page,
  browser,
}) => {
  test.slow()
  const network = await makeNetwork({ people: [texted()], campaign: 'Winter' })
  const { id } = network.company
  const second = await colleague(id, 'Bea')
  await network.sql(
    'update campaign set created_by = (select id from login where username = $2) where company_id = $1',
    [...[id, network.username]],
  )
  await network.sql('update messaging_setting set approval = true where company_id = $1', [id])
  const [campaign] = await network.sql<{ uuid: string }>('select uuid from campaign where company_id = $1', [id])
  const author = await (await browser.newContext()).newPage()
  const ask = await open(author, '/campaigns', network.username)
  const request = () => ask(`campaign/${campaign!.uuid}/approval-request/enterprise`, { max_people: 9, max_cents: 900 })
  const change = () => network.sql(`update template set body = body || ' Call us.' where company_id = $1`, [id])
  const CHANGED = 'This campaign was changed since approval was asked for. Please look at it again.'

  await request()
  await open(page, `/campaigns/${campaign!.uuid}`, second)
  const note = page.getByRole('region', { name: 'Approval', exact: true })
  await note.getByRole('button', { name: 'Approve…' }).click()
  const dialog = page.getByRole('dialog')
  await change()
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: /^Approve up to/ }).click()
  await expect(dialog.getByRole('alert')).toContainText(CHANGED)
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(note).toContainText('the text of “Repeat due”')
  await expect(note.getByRole('button', { name: 'Approve…' })).toHaveCount(0)

  await request()
  await page.reload()
  await note.getByRole('button', { name: 'Decline…' }).click()
  await change()
  await dialog.getByLabel('Reason').fill('Not so.')
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText(CHANGED)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(note.getByRole('button', { name: 'Decline…' })).toHaveCount(0)
  await author.context().close()
})

test('why a campaign was held back stands once, beside what to do about it', async ({ page }) => {
  const { company, username, sql } = await makeNetwork({ people: [texted()], campaign: 'Winter' })
  const why = 'The campaign was changed since it was approved: the dates. Nothing was sent.'
  await sql(
    `insert into message_run (uuid, company_id, context, campaign_id, state, note, starts_at)
     select gen_random_uuid(), company_id, 'campaign', id, 'failed', $2, now() from campaign where company_id = $1`,
    [company.id, why],
  )
  await page.route('**/api/campaign/*/approval/enterprise', async (route) => {
    const response = await route.fetch()
    const held = { required: true, state: 'held', reason: why }
    await route.fulfill({ response, json: { ...(await response.json()), ...held } })
  })
  await open(page, '/campaigns?dialog=campaigns', username)
  const approval = page.getByRole('region', { name: 'Approval', exact: true })
  await expect(approval).toContainText(`${why} Ask for approval again.`)
  await expect(page.getByRole('region', { name: 'Sending' })).toBeVisible()
  await expect(page.getByText(why)).toHaveCount(1)
})
