import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { refuse } from '../support/faults.ts'
import { settled } from '../support/grid.ts'
import { open, signInAs } from '../support/people.ts'
import { confirm } from '../support/settings.ts'

test.setTimeout(90_000)

test('a look-up field says that it could not load its choices, and tries again; typed text stays', async ({ page }) => {
  await open(page, '/settings?tab=1', 'support')
  const mend = await refuse(page, '**/api/company/search')
  await page.getByRole('button', { name: 'Create User' }).click()
  const form = dialog(page, 'Create user')
  await form.getByLabel('Username').fill('olive')
  await expect(form.getByText('Could not load the choices. Broken.')).toBeVisible()
  await form.getByRole('combobox', { name: 'Company' }).click()
  await expect(page.getByText('Nothing matches')).toHaveCount(0)
  await mend()
  await form.getByRole('button', { name: 'Try again' }).click()
  await expect(form.getByText('Could not load the choices.')).toHaveCount(0)
  await form.getByRole('combobox', { name: 'Company' }).fill('Saltbush')
  await page.getByRole('option', { name: 'Saltbush Pharmacy Group' }).click()
  await expect(form.getByLabel('Username')).toHaveValue('olive')
})

test('a list of choices that could not be loaded is not shown as empty, and tries again', async ({ page }) => {
  const mend = await refuse(page, '**/api/get-pharmacies')
  await open(page, '/campaigns?dialog=new-campaign')
  const form = dialog(page, 'New campaign')
  await expect(form.getByText('Could not load the pharmacies. Broken.')).toBeVisible()
  await form.getByRole('button', { name: /^Pharmacies/ }).click()
  await expect(page.getByText('Could not be loaded', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await mend()
  await form.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(form.getByText('Could not load the pharmacies.')).toHaveCount(0)
  // The pressed button has disappeared: the keyboard continues beside it.
  await expect(form.getByRole('button', { name: /^Pharmacies/ })).toBeFocused()
})

test('the next page of choices that could not be loaded is requested once, and again on demand', async ({ page }) => {
  const next = { asked: 0, broken: true }
  await page.route('**/api/template-recommendation/list', async (route) => {
    const { page: number } = route.request().postDataJSON()
    if (number > 1) next.asked++
    if (number > 1 && next.broken) return route.fulfill({ status: 500, json: { code: 'internal', message: 'Broken.' } })
    const answer = await (await route.fetch({ postData: { search_term: '', page: 1 } })).json()
    return route.fulfill({ json: { ...answer, current_page: number, page_count: 2 } })
  })
  await open(page, '/settings?tab=3', 'support')
  await page.getByRole('button', { name: 'Create Recommended Campaign' }).click()
  const form = dialog(page, 'Create recommended campaign')
  await form.getByRole('button', { name: /^Templates/ }).click()
  await expect(page.getByRole('listbox', { name: 'Templates' }).getByRole('option').first()).toBeVisible()
  await page.getByRole('listbox', { name: 'Templates' }).getByRole('option').last().hover()
  await expect(form.getByText('Could not load the choices. Broken.')).toBeVisible()
  await page.waitForTimeout(1_000)
  expect(next.asked).toBe(1)
  next.broken = false
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Try again' }).click()
  await expect(form.getByText('Could not load the choices.')).toHaveCount(0)
  expect(next.asked).toBe(2)
})

test('a dialog opens on request even if its data could not be read', async ({ page }) => {
  await open(page, '/settings?tab=5&find=heart', 'support')
  const trial = await refuse(page, '**/api/clinical-trial/admin/*/info')
  await page
    .getByRole('button', { name: /^More about / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /^(A|Dea)ctivate$/ }).click()
  await expect(dialog(page, 'Clinical trial').getByText('Could not load the trial')).toBeVisible()
  await trial()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog(page, /^(A|Dea)ctivate /)).toBeVisible()

  await open(page, '/settings?tab=6', 'support')
  const form = await refuse(page, '**/api/dashboard/admin/options')
  await page.getByRole('button', { name: 'Create Dashboard' }).click()
  const create = dialog(page, 'Create dashboard')
  await expect(create.getByText('Could not load the form')).toBeVisible()
  await form()
  await create.getByRole('button', { name: 'Try again' }).click()
  await expect(create.getByLabel('Dashboard name')).toBeVisible()
})

test('links not read yet are not shown as none, so that none is removed', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/company/*/login-locations', async (route) => {
    await held
    await route.continue()
  })
  const ask = await signInAs(page, 'support')
  const { results } = await ask<{ results: { uuid: string }[] }>('company/search', { page: 1, name: 'Saltbush' })
  await page.goto(`/settings?account=${results[0]!.uuid}&step=links`)
  const step = dialog(page, /^Create Account/).getByRole('region', { name: 'Link Users' })
  await expect(step.getByText('Loading records, please wait...')).toBeVisible()
  await expect(step.getByRole('button', { name: /^Change locations/ })).toHaveCount(0)
  release()
  await expect(step.getByRole('button', { name: /^Change locations/ }).first()).toBeVisible()
})

test('a refused write outside a form says so', async ({ page }) => {
  const view = {
    ...{ id: '01980000-0000-7000-8000-000000000001', name: 'Mine', shared: false, mine: true, may_change: true },
    ...{ made_by: null, is_default: false, state: { statistic: 'loyalty' }, version: 1 },
  }
  await page.route('**/api/saved-view/list', (route) => route.fulfill({ json: { views: [view] } }))
  await refuse(page, '**/api/saved-view/default')
  await refuse(page, '**/api/report-mail/stop')
  await open(page, '/financials?statistic=loyalty')
  await settled(page)
  await page.getByRole('button', { name: 'Mine' }).click()
  await page.getByRole('menuitem', { name: 'Open Financials with this view' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Broken.' })).toHaveCount(1)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Helen Kowalski' }).click()
  await page.getByRole('menuitem', { name: 'Monthly report' }).click()
  await dialog(page, 'Monthly report').getByRole('button', { name: 'Refuse monthly reports' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Broken.' })).toHaveCount(2)
})

test('a sequence that somebody else has changed meanwhile is not switched, and the page says so', async ({ page }) => {
  await refuse(page, '**/api/sequence/admin/*/edit', 'conflict', 409)
  await open(page, '/settings?tab=7&list=pharmacy&find=saltbush', 'support')
  const detail = page.getByRole('region', { name: 'Sequence', exact: true })
  const turn = detail.getByRole('button', { name: /^(A|Dea)ctivate$/ })
  const words = await turn.textContent()
  const stands = detail.getByText(words === 'Activate' ? 'Inactive' : 'Active', { exact: true })
  await expect(stands).toBeVisible()
  await turn.click()
  await confirm(page, /^(Activate|Deactivate)/)
  await expect(page.getByRole('alert').filter({ hasText: 'Broken.' })).toBeVisible()
  await expect(turn).toHaveText(words!)
  await expect(stands).toBeVisible()
})

test('a campaign is not switched until the templates that go with it are known', async ({ page }) => {
  const mend = await refuse(page, '**/api/campaign/*/affected-templates/enterprise')
  await open(page, '/campaigns?dialog=campaigns')
  const campaigns = dialog(page, 'Campaigns')
  const turn = campaigns.getByRole('button', { name: /^(A|Dea)ctivate…$/ })
  await expect(campaigns.getByText('Could not load which templates it switches. Broken.')).toBeVisible()
  await expect(turn).toBeDisabled()
  await mend()
  await campaigns.getByRole('button', { name: 'Try again' }).click()
  await expect(turn).toBeEnabled()
})

test('register issues that could not be counted are reported, not just shown as a dash', async ({ page }) => {
  const mend = await refuse(page, '**/api/s8/attention/counts')
  await open(page, '/s8management', 'controlled')
  await expect(page.getByText('Could not count what needs attention')).toBeVisible()
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Late count' }).getByRole('link')).toBeVisible()
})

test('targets that could not be read are not shown as none', async ({ page }) => {
  const mend = await refuse(page, '**/api/target/list')
  await open(page, '/financials')
  const said = page.getByText('Could not load the targets. Broken.')
  await expect(said).toBeVisible()
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(said).toHaveCount(0)
})

test('a page of message batches that does not load leaves a way back to the one before it', async ({ page }) => {
  await page.route('**/api/admin/messaging-info', async (route) => {
    if (route.request().postDataJSON().page > 1)
      return route.fulfill({ status: 500, json: { code: 'internal', message: 'Broken.' } })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), page_count: 2 } })
  })
  await open(page, '/settings', 'support')
  await page.getByRole('button', { name: 'Message Info' }).click()
  const info = dialog(page, 'Message info')
  await info.getByRole('button', { name: 'Next page' }).click()
  await expect(info.getByRole('alert')).toContainText('Could not load page 2 of message batches')
  await info.getByRole('button', { name: 'Back to page 1' }).click()
  await expect(info.getByRole('list', { name: 'Message batches' })).toBeVisible()
})

test('a campaign and its messages that could not be read are not shown from an older list without a word', async ({
  page,
}) => {
  const info = await refuse(page, '**/api/campaign/*/info/enterprise', 'not_found', 404)
  await open(page, '/campaigns?dialog=campaigns')
  const said = page.getByRole('alert').filter({ hasText: 'Could not refresh the campaign. Broken.' })
  await expect(said).toBeVisible()
  await info()
  await said.getByRole('button', { name: 'Try again' }).click()
  await expect(said).toHaveCount(0)

  const run = await refuse(page, '**/api/campaign/*/run/enterprise')
  await page.goto('/campaigns/0192d3b0-0002-7000-8000-000000000003')
  const stands = page.getByRole('alert').filter({ hasText: 'Could not refresh how the messages stand. Broken.' })
  await expect(stands).toBeVisible()
  await page.getByRole('link', { name: 'Messages', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveCount(1)
  await run()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a link to what does not exist offers the way back, not another try', async ({ page }) => {
  const nothing = '0192d3b0-0002-7000-8000-00000000dead'
  for (const [person, address, title, back] of [
    ['headoffice', `/campaigns/${nothing}`, 'That campaign was not found', 'All campaigns'],
    [
      'headoffice',
      `/campaigns?dialog=edit-campaign&campaign=${nothing}`,
      'That campaign was not found',
      'All campaigns',
    ],
    ['headoffice', '/campaigns/none', 'That campaign was not found', 'All campaigns'],
    ['controlled', `/s8management?pharmacy=${nothing}`, 'That pharmacy was not found', 'All pharmacies'],
  ] as const) {
    await open(page, address, person)
    const said = page.getByRole('alert').filter({ hasText: title })
    await expect(said.getByRole('link', { name: back })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  }
})

test('a new campaign is not activated until it is known whether it needs approval', async ({ page }) => {
  const mend = await refuse(page, '**/api/messaging/rules')
  await open(page, '/campaigns?dialog=new-campaign')
  const form = dialog(page, 'New campaign')
  await expect(form.getByText('Could not load whether it needs approval. Broken.')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Activate…' })).toBeDisabled()
  await mend()
  await form.getByRole('button', { name: 'Try again' }).click()
  await expect(form.getByRole('button', { name: 'Activate…' })).toBeEnabled()
})

test('targets, sign-ups and views that could not be read are not shown as none', async ({ page }) => {
  await refuse(page, '**/api/target/line')
  await refuse(page, '**/api/saved-view/list')
  await open(page, '/financials')
  await expect(page.getByRole('button', { name: 'Views ? Could not load the saved views' })).toBeVisible()
  await page.getByRole('button', { name: /Revenue: show the trend$/ }).click()
  await expect(page.getByRole('dialog').getByText(/Could not load the targets\.$/)).toBeVisible()
  await refuse(page, '**/api/signup/admin/search')
  await open(page, '/settings', 'support')
  await expect(page.getByRole('link', { name: 'Sign-ups (could not count)' })).toBeVisible()
})
