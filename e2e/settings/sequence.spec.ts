import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { fillIn, open, PASSWORD } from '../support/people.ts'
import { haveFirstScript } from '../support/sequence.ts'
import { confirm, find, row, unique, write } from '../support/settings.ts'

test.setTimeout(120_000)

/** Types into a look-up field, and picks the result. */
async function pick(page: Page, field: Locator, name: string): Promise<void> {
  await field.fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

test('a sequence is recommended, adopted by a pharmacy, watched, edited and deactivated', { tag: '@main' }, async ({
  page,
}) => {
  const network = await makeNetwork({ people: [texted(), texted()] })
  const title = unique('Starting a medicine')
  await open(page, '/settings?tab=7', 'support')

  await page.getByRole('button', { name: 'Create Recommended Sequence' }).click()
  const form = dialog(page, 'Create recommended sequence')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert').first()).toHaveText(/add at least one follow-up/i)
  await expect(
    form.getByText('Please enter a title, select a sequence event, and add at least one follow-up.'),
  ).toBeVisible()
  await expect(form.getByLabel('Title')).toBeFocused()
  await form.getByLabel('Title').fill(title)
  await pick(page, form.getByLabel('Sequence event'), 'First script of a medicine')
  await form.getByRole('button', { name: 'Add follow-up' }).click()
  await form.getByRole('button', { name: 'Add follow-up' }).click()
  await pick(page, form.getByLabel('Follow-up 1: template'), 'Repeat due soon')
  await pick(page, form.getByLabel('Follow-up 2: template'), 'Repeat still waiting')
  // The missing part has been entered: the sentence that named it disappears before anything is sent again.
  await expect(form.getByText('Please enter a title, select a sequence event')).toHaveCount(0)
  await form.getByLabel('Follow-up 1: days after the event').fill('9')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByText('Please let no follow-up come before the one above it.')).toBeVisible()
  await expectAccessible(page, 'a recommended sequence with problems', OPENED)
  await form.getByLabel('Follow-up 1: days after the event').fill('0')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create recommended sequence')
  await expect(page.getByText('Recommended Sequence Created Successfully')).toBeVisible()
  await find(page, 'Find a recommended sequence', title)
  await expect(row(page, title)).toContainText('Day 0: Repeat due soon, Day 7: Repeat still waiting')

  await page.getByRole('link', { name: 'Pharmacy', exact: true }).click()
  await page.getByRole('button', { name: 'Create Pharmacy Sequence' }).click()
  const adopt = dialog(page, 'Create pharmacy sequence')
  await pick(page, adopt.getByLabel('Company'), network.company.name)
  await adopt.getByLabel('Pharmacy').selectOption(network.pharmacies[0]!.name)
  await pick(page, adopt.getByLabel('Recommended sequence'), title)
  await adopt.getByLabel('Active').check()
  await adopt.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create sequence')
  await expect(page.getByText('Pharmacy Sequence Created Successfully')).toBeVisible()
  const detail = page.getByRole('region', { name: 'Sequence', exact: true })
  await expect(detail.getByRole('heading', { name: title })).toBeVisible()
  await expect(detail.getByText('No message has gone out yet')).toBeVisible()

  expect(await haveFirstScript(network)).toBe(2)
  await page.reload()
  await expect(detail.getByRole('region', { name: 'Started' })).toContainText('2')
  const steps = detail.getByRole('region', { name: 'Time line' }).getByRole('listitem')
  await expect(steps.nth(1)).toContainText(/(Being sent|Sent, no response) 2/)
  await expect(steps.nth(2)).toContainText('Next for 2 of 2 not yet due')
  await expect(steps.nth(2)).toContainText('Enrolled today:')
  await steps.nth(1).getByRole('button', { name: 'Repeat due soon' }).press('Enter')
  await expect(steps.nth(1)).toContainText('Message Info')
  await page.keyboard.press('ArrowDown')
  await expect(steps.nth(2).getByRole('button', { name: 'Repeat still waiting' })).toBeFocused()
  await expectAccessible(page, 'the time line')
  await detail.getByRole('button', { name: 'Show as table' }).click()
  await expect(detail.getByRole('row', { name: 'Repeat still waiting 7 0 0 0 0 0 2 0 0 2' })).toBeVisible()
  await detail.getByRole('button', { name: 'Show as time line' }).click()

  await detail.getByRole('button', { name: 'Edit follow-ups' }).click()
  await detail.getByLabel('Follow-up 2: days after the event').fill('9')
  await detail.getByRole('button', { name: 'Save follow-ups' }).click()
  await expect(page.getByText(/2 patients part-way through will follow the new days/)).toBeVisible()
  await confirm(page, 'Save follow-ups')
  await expect(page.getByText('Sequence Edited Successfully')).toBeVisible()
  await expect(steps.nth(2)).toContainText('Day 9')

  await detail.getByRole('button', { name: `Edit ${title}` }).click()
  const edit = dialog(page, 'Edit sequence')
  await edit.getByLabel('Active').uncheck()
  await edit.getByRole('button', { name: 'Update' }).click()
  await expect(dialog(page, `Edit ${title}?`)).toContainText(
    /2 patients are part-way through: follow-ups that fall due/,
  )
  await page.keyboard.press('Escape')
  await edit.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()

  await detail.getByRole('button', { name: 'Deactivate' }).click()
  await expect(
    page.getByText(/2 patients are part-way through: follow-ups that fall due while it is inactive/),
  ).toBeVisible()
  await confirm(page, /^Deactivate/)
  await expect(page.getByText(/^Sequence deactivated/)).toBeVisible()
  await expect(detail.getByRole('button', { name: 'Activate' })).toBeVisible()
})

test('another company takes the pharmacy and the templates of the one before out of a new sequence', async ({
  page,
}) => {
  const [first, second] = [await makeNetwork(), await makeNetwork()]
  await open(page, '/settings?tab=7&list=pharmacy', 'support')
  await page.getByRole('button', { name: 'Create Pharmacy Sequence' }).click()
  const form = dialog(page, 'Create pharmacy sequence')
  await pick(page, form.getByLabel('Company'), first.company.name)
  await form.getByLabel('Pharmacy').selectOption(first.pharmacies[0]!.name)
  await form.getByLabel('Title').fill('Starting a medicine')
  await pick(page, form.getByLabel('Sequence event'), 'First script of a medicine')
  await form.getByRole('button', { name: 'Add follow-up' }).click()
  await pick(page, form.getByLabel('Follow-up 1: template'), first.template)
  await pick(page, form.getByLabel('Company'), second.company.name)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert').last()).toContainText(
    'Please select a pharmacy and select a template for each follow-up.',
  )
  await expect(form.getByLabel('Follow-up 1: template')).toHaveValue('')
  await form.getByLabel('Pharmacy').selectOption(second.pharmacies[0]!.name)
  await pick(page, form.getByLabel('Follow-up 1: template'), second.template)
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create sequence')
  await expect(page.getByText('Pharmacy Sequence Created Successfully')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Sequence', exact: true })).toContainText(second.pharmacies[0]!.name)
})

test('follow-ups being edited when a session ended are back once the same person has signed in again', async ({
  page,
}) => {
  await open(page, '/settings?tab=7&list=pharmacy&find=saltbush', 'support')
  const detail = page.getByRole('region', { name: 'Sequence', exact: true })
  await detail.getByRole('button', { name: 'Edit follow-ups' }).click()
  const days = detail.getByLabel(/^Follow-up \d: days after the event/).last()
  await days.fill('123')
  await page.route('**/api/sequence/admin/*/edit', (route) =>
    route.fulfill({ status: 401, json: { code: 'session_expired', message: 'Your session has expired.' } }),
  )
  await detail.getByRole('button', { name: 'Save follow-ups' }).click()
  await confirm(page, 'Save follow-ups')
  await expect(page.getByText('Your session has expired. Please sign in again.')).toBeVisible()
  await fillIn(page, 'support', PASSWORD)
  await detail.getByRole('button', { name: 'Edit follow-ups' }).click()
  await expect(days).toHaveValue('Day 123')
  await expect(page.getByText('What you typed before you were signed out is back.')).toBeVisible()
})

test('a follow-up moved to the top by keyboard is not removed by one press more', async ({ page }) => {
  await open(page, '/settings?tab=7', 'support')
  await page.getByRole('button', { name: 'Create Recommended Sequence' }).click()
  const form = dialog(page, 'Create recommended sequence')
  for (let rows = 0; rows < 2; rows++) await form.getByRole('button', { name: 'Add follow-up' }).click()
  await form.getByRole('button', { name: 'Move follow-up 2 up' }).focus()
  await page.keyboard.press('Enter')
  await expect(form.getByRole('button', { name: 'Move follow-up 1 up' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(form.getByLabel(/days after the event/)).toHaveCount(2)
})

test('follow-ups that somebody else has changed are not saved over, even once the page shows the change', async ({
  page,
}) => {
  const { sql, company, pharmacies, template } = await makeNetwork()
  const location_id = pharmacies[0]!.uuid
  const [made] = await sql<{ id: string; follow_up_id: string }>(
    `with q as (
       insert into sequence (location_id, uuid, title, sequence_event_id, active)
       select $1, gen_random_uuid(), 'Repeat reminder', (select min(id) from sequence_event), false returning location_id, id, uuid),
     f as (
       insert into follow_up (location_id, uuid, sequence_id, follow_up_order, days_after, template_id)
       select q.location_id, gen_random_uuid(), q.id, 1, 3, t.id from q, template t where t.company_id = $2 and t.name = $3 returning uuid)
     select q.uuid as id, f.uuid as follow_up_id from q, f`,
    [pharmacies[0]!.id, company.id, template],
  )
  const { id, follow_up_id } = made!
  const ask = await open(page, `/settings?tab=7&list=pharmacy&sequence=${id}`, 'support')
  const detail = page.getByRole('region', { name: 'Sequence', exact: true })
  await detail.getByRole('button', { name: 'Edit follow-ups' }).click()
  const days = detail.getByLabel('Follow-up 1: days after the event')
  await days.fill('5')
  const theirs = { location_id, follow_ups: [{ follow_up_id, days_after: 30 }] }
  await write(ask, `sequence/admin/${id}/edit`, theirs, id)
  const said = 'Somebody else has saved "Repeat reminder" since you opened it.'
  // This is refused, and the page reads the sequence again.
  await detail.getByRole('button', { name: 'Activate', exact: true }).click()
  const reread = page.waitForResponse(`**/api/sequence/admin/${id}/info`)
  await confirm(page, 'Activate sequence')
  await expect(page.getByText(said)).toBeVisible()
  await reread
  await page.keyboard.press('Escape')
  await detail.getByRole('button', { name: 'Save follow-ups' }).click()
  await confirm(page, 'Save follow-ups')
  await expect(detail.getByRole('alert')).toContainText(said)
  await expect(days).toHaveValue('Day 5')
  expect(await sql('select days_after from follow_up where uuid = $1 and removed_at is null', [follow_up_id])).toEqual([
    { days_after: 30 },
  ])
})
