import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open, PASSWORD, signInAs } from '../support/people.ts'

const CREATE = '**/api/template/create/enterprise'

test('a save whose answer was lost is not repeated, and nobody is told otherwise', { tag: '@main' }, async ({
  page,
}) => {
  test.slow()
  const name = `Lost answer ${test.info().workerIndex}-${Date.now() % 1_000_000}`
  await open(page, '/campaigns?dialog=new-template')
  await page.getByLabel('Template name').fill(name)
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi, ready at {Pharmacy Name}')
  const keys: (string | undefined)[] = []
  const statuses: number[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/template/create/enterprise')) keys.push(request.headers()['idempotency-key'])
  })
  await page.route(
    CREATE,
    async (route) => {
      statuses.push((await route.fetch()).status())
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  const sure = page.getByRole('button', { name: 'Activate template' })
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.click()
  await expect(
    page.getByText('it may or may not have been done. Try again without changing anything: it is never done twice.'),
  ).toBeVisible()
  expect(statuses).toEqual([200])

  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.dblclick()
  await expect(page.getByRole('heading', { name, level: 2, exact: true })).toBeVisible()
  expect(keys).toEqual([expect.stringMatching(/^[\da-f]{32}$/), keys[0]])
  await expect(page.getByRole('list', { name: 'Templates' }).getByText(name)).toHaveCount(1)
})

test('what one’s own lost save has changed is not said to be somebody else’s, nor that nothing was saved', async ({
  page,
}) => {
  const name = `Lapsed ${Date.now()}`
  const ask = await signInAs(page, 'support')
  const { id } = await ask<{ id: string }>('sequence-event/admin/create', { name, value: 'refill_due' })
  await page.goto(`/settings?tab=7&list=events&find=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const form = dialog(page, 'Edit sequence event')
  await page.route(
    `**/api/sequence-event/admin/${id}/edit`,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  const save = form.getByRole('button', { name: 'Update' })
  await form.getByLabel('Event').fill(`${name} first`)
  await save.click()
  await expect(form.getByRole('alert')).toContainText('it may or may not have been done.')
  await form.getByLabel('Event').fill(`${name} second`)
  await save.click()
  await expect(form.getByRole('alert')).toContainText('by someone else or by your own attempt that got no answer.')
  await expect(form.getByRole('row', { name: `Event ${name} first ${name} second` })).toBeVisible()
  await form.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(page.getByText(`${name} second`)).toBeVisible()
})

test('a campaign whose activation got no answer is shown as it is after Back, and can be cancelled', async ({
  page,
}) => {
  test.slow()
  const name = 'Repeats due this week'
  const network = await makeNetwork({ people: [texted()], campaign: name })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  const campaigns = dialog(page, 'Campaigns')
  await campaigns.getByRole('button', { name: 'Activate…' }).click()
  const sure = dialog(page, `Send “${name}”?`)
  await page.route(
    '**/api/campaign/*/activate/enterprise',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: /^Send 1 text/ }).click()
  await expect(sure.getByRole('alert')).toContainText('it may or may not have been done.')
  await sure.getByRole('button', { name: 'Back' }).click()
  await expect(campaigns.getByRole('button', { name: 'Cancel sending' })).toBeVisible()
  await expect(campaigns.getByRole('button', { name: 'Deactivate…' })).toBeVisible()
})

test('leaving a form whose save got no answer does not say that nothing was saved', async ({ page }) => {
  await open(page, '/settings?tab=7&list=events', 'support')
  await page.getByRole('button', { name: 'Create Event' }).click()
  const form = dialog(page, 'Create sequence event')
  await page.route('**/api/sequence-event/admin/create', (route) => route.abort())
  await form.getByLabel('Event').fill(`Lost ${Date.now()}`)
  await form.getByLabel('Description').selectOption('refill_due')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page, 'Leave without saving?')).toContainText('Saving the new sequence event got no answer.')

  // Another one that was never sent is simply not saved.
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('button', { name: 'Create Event' }).click()
  await form.getByLabel('Event').fill(`Other ${Date.now()}`)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page, 'Leave without saving?')).toContainText('has not been saved and will be lost.')
})
