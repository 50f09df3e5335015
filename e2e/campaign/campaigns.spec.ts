import type { ReplyOf } from '@pillar/contract'
import type { attribution } from '@pillar/contract/message/attribution'
import { calendarLabel, currentCalendar, previousCalendar } from '@pillar/domain/time/calendar-period'
import { formatNumber } from '@pillar/domain/time/locale'
import { dayIn } from '@pillar/domain/time/zone'
import { expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { makeNetwork } from '../support/messaging.ts'
import { open } from '../support/people.ts'

type Stats = ReplyOf<typeof attribution.stats>

const TODAY = dayIn('Australia/Sydney', new Date())
const MONTH = currentCalendar(TODAY)
const label = (choice: typeof MONTH) => new RegExp(`^${calendarLabel(choice).replace(/[()]/g, '\\$&')}`)
const table = (page: Page) => page.getByRole('table', { name: 'Messages by pharmacy' })
const names = (page: Page) => table(page).locator('tbody th[scope="row"]')

test('strip and TOTAL show the server’s figures, and agree', { tag: '@main' }, async ({ page }) => {
  const ask = await open(page, '/campaigns')
  await expect(page).toHaveTitle(/^Campaigns and Marketing - /)
  await expect(names(page).first()).toContainText(/^TOTAL, \d+ pharmacies$/)
  const stats = await ask<Stats>('enterprise-message-stats', { ...MONTH })
  const text = (value: number) => formatNumber('AU', value)
  const total = table(page).getByRole('row', { name: /TOTAL/ })
  for (const [name, value] of [
    ['SMS', stats.total_sms],
    ['Email', stats.total_email],
    ['Reach', stats.total_reach],
  ] as const) {
    await expect(page.getByRole('region', { name, exact: true })).toContainText(text(value))
    await expect(total).toContainText(text(value))
  }
  const parts = stats.num_campaign_messages + stats.num_trial_messages + stats.num_normal_messages
  await expect(page.getByRole('region', { name: 'Messages delivered' })).toContainText(text(parts))
  await expect(page.getByText('Test mode: no texts are sent.')).toBeVisible()

  await page.getByRole('button', { name: 'Reach: how it is calculated' }).click()
  await expect(dialog(page, 'How reach is calculated')).toContainText(
    'Someone messaged by two pharmacies is counted at each',
  )
  await expect(dialog(page, 'How reach is calculated')).not.toContainText(/cost/i)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cost: how it is calculated' }).click()
  await expect(dialog(page, 'How cost is calculated')).toContainText('at the price per part')
})

test('an address with a page past the end leads to the last page', async ({ page }) => {
  await open(page, '/campaigns?page=99')
  await expect(page).not.toHaveURL(/page=99/)
  // TOTAL, and a pharmacy of that page.
  await expect(names(page).nth(1)).toBeVisible()
})

test('the Time Period dialog and its arrows change the address', async ({ page }) => {
  await open(page, '/campaigns')
  const before = previousCalendar(MONTH, TODAY)!
  await expect(page.getByRole('button', { name: /^Forward one/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Back one month' }).click()
  await expect(page.getByRole('button', { name: label(before) })).toBeVisible()
  await page.getByRole('button', { name: 'Forward one month' }).click()
  await expect(page).toHaveURL('/campaigns')

  await page.getByRole('button', { name: label(MONTH) }).click()
  const time = dialog(page, 'Time Period')
  await time.getByRole('radio', { name: 'Quarter' }).click()
  await expect(time.getByText('Please select a quarter')).toBeVisible()
  await expect(time.getByRole('button', { name: 'Confirm' })).toBeDisabled()
  await time.getByRole('radio', { name: 'Month' }).click()
  await expect(time.getByText('Please select a month')).toBeVisible()
  await time.getByRole('radio', { name: 'Calendar Year' }).click()
  await time
    .getByLabel('Calendar Year', { exact: true })
    .last()
    .selectOption(String(MONTH.year - 1))
  await time.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(`/campaigns?period=${MONTH.year - 1}`)
  await expect(page.getByRole('button', { name: new RegExp(`^${MONTH.year - 1} 1 Jan`) })).toBeVisible()
})

test('search, order and pages are in a link that shows the same', async ({ page }) => {
  await open(page, '/campaigns')
  await expect(names(page).first()).toContainText('TOTAL')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/enterprise-message-stats')) asked.push(request.postDataJSON().search_term)
  })
  const search = page.getByRole('searchbox', { name: 'Find a pharmacy' })
  await search.pressSequentially('pharm', { delay: 60 })
  await expect(page).toHaveURL('/campaigns?find=pharm')
  await expect.poll(() => asked).toEqual(['pharm'])
  await search.fill('no such place')
  await expect(page.getByText('No records found for “no such place”')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(search).toHaveValue('')

  await page.getByRole('button', { name: 'Pharmacy', exact: true }).click()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL('/campaigns?sort=name&page=2')
  await expect(page.getByText(/^21–\d+ of \d+$/)).toBeVisible()
  const shown = await names(page).allTextContents()
  expect(shown.slice(1)).toEqual([...shown.slice(1)].sort((a, b) => a.localeCompare(b, 'en-AU')))
  await page.reload()
  await expect(names(page)).toHaveText(shown)
})

test('a person without access to the screen sees a message and no buttons', async ({ page }) => {
  const network = await makeNetwork()
  await network.sql('update login set data_analytics = false, guild_login = true where username = $1', [
    network.username,
  ])
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await open(page, '/campaigns?dialog=new-campaign', network.username)
  await expect(page.getByRole('heading', { name: 'You don’t have access to Campaigns and Marketing' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(asked.filter((path) => /campaign|message-stats|sending/.test(path) && path.startsWith('/api/'))).toEqual([])
  await page.goto('/')
  await expect(page).toHaveURL('/guildsixtydd')
  await expect(page.getByRole('heading', { name: 'Guild Sixty Day Dispensing' })).toBeVisible()
  expect(asked).not.toContain('/api/enterprise-init-info')
})

test('a dialog has an address, and closing it leaves the screen as it was', async ({ page }) => {
  await open(page, '/campaigns?sort=name&page=2&dialog=sms-cost')
  const parts = dialog(page, 'How text parts are counted')
  await parts.getByLabel('Try it').fill('Time for your repeat 💊')
  await expect(parts.getByText('‘💊’ reduces each part from 160 to 70 characters.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(parts).toHaveCount(0)
  await expect(page).toHaveURL('/campaigns?sort=name&page=2')
})

test('sending rules report problems and ask for the password before anything is saved', async ({ page }) => {
  await open(page, '/campaigns?dialog=sending-rules')
  const rules = dialog(page, 'Sending rules')
  await expect(rules.getByRole('button', { name: 'Save…' })).toBeDisabled()
  const cap = rules.getByLabel('Messages', { exact: true })
  await cap.fill('0')
  await rules.getByRole('button', { name: 'Save…' }).click()
  await expect(rules.getByRole('alert')).toContainText('Please set the frequency limit to 1 to 100 messages.')
  await expect(cap).toBeFocused()
  await cap.fill('5')
  await rules.getByRole('button', { name: 'Save…' }).click()
  await expect(dialog(page, 'Save the sending rules?')).toContainText('At most 5 messages to one person')
  await page.keyboard.press('Escape')
  await expect(cap).toHaveValue('5')
})

test('a campaign is copied with everything but its past dates, even a demo campaign, and Cancel leads back to it', async ({
  page,
}) => {
  await open(page, '/campaigns?dialog=campaigns&campaign=0192d3b0-0002-7000-8000-000000000004')
  const campaigns = dialog(page, 'Campaigns')
  const name = (await campaigns.getByRole('heading', { level: 3 }).textContent()) ?? ''
  await campaigns.getByRole('button', { name: 'Copy', exact: true }).click()
  const copy = dialog(page, 'Copy campaign')
  await expect(copy.getByLabel('Campaign name')).toHaveValue(`${name} (copy)`)
  await expect(copy.getByLabel('Start date')).toHaveValue('')
  await expect(copy.getByRole('list', { name: 'Selected templates' }).getByRole('listitem')).not.toHaveCount(0)
  await copy.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page, 'Campaigns').getByRole('heading', { level: 3 })).toHaveText(name)
})

test('a new campaign for a pharmacy that has left selects none, and says so', async ({ page }) => {
  await open(page, '/campaigns?dialog=new-campaign&pharmacy=0192c0de-0004-7000-8000-0000000000ff')
  await expect(page.getByText('The pharmacy of this link is not one of yours any more.')).toBeVisible()
  const pharmacies = dialog(page, 'New campaign').getByRole('button', { name: /^Pharmacies/ })
  await expect(pharmacies).toHaveText('Select pharmacies')
})

test('a problem with a choice is read out with it', async ({ page }) => {
  await open(page, '/campaigns?dialog=new-campaign')
  const form = dialog(page, 'New campaign')
  const goal = form.getByRole('radiogroup', { name: 'Goal type' })
  await expect(goal).not.toHaveAttribute('aria-invalid')
  await form.getByRole('button', { name: 'Save as inactive' }).click()
  await expect(goal).toHaveAttribute('aria-invalid', 'true')
  await expect(goal).toHaveAccessibleDescription('Select a goal type')
  await expect(form.getByRole('radiogroup', { name: 'Measure by' })).toHaveAccessibleDescription(
    'Choose how to measure it',
  )
  await goal.getByRole('radio', { name: 'Scripts' }).click()
  await expect(goal).toHaveAccessibleDescription('')
})

test('each part reports its own failure, and can be tried again', async ({ page }) => {
  const refuse = (path: string) =>
    page.route(path, (route) => route.fulfill({ status: 500, json: { message: 'Broken.' } }))
  await refuse('**/api/enterprise-message-stats')
  await refuse('**/api/campaign/enterprise/list')
  await open(page, '/campaigns')
  await expect(page.getByText('Could not load the message stats')).toBeVisible()
  await expect(page.getByText('Could not load the active campaigns')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Recommended by Pillar' })).toBeVisible()
  await page.unroute('**/api/enterprise-message-stats')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(names(page).first()).toContainText('TOTAL')
})

test('the Message History Report needs a pharmacy with a contact', async ({ page }) => {
  await open(page, '/campaigns')
  const pharmacies = [
    { pharmacy_id: '00000000-0000-4000-8000-000000000001', pharmacy_name: 'Coburg', state: 'VIC', contact: null },
    {
      pharmacy_id: '00000000-0000-4000-8000-000000000002',
      pharmacy_name: 'Unley',
      state: 'SA',
      contact: { name: 'Jo', email: 'jo@example.test' },
    },
  ]
  // The demo network has no contacts, and a report would be sent by email, so the answers here are made up.
  await page.route('**/api/message-history-report/pharmacies', (route) => route.fulfill({ json: { pharmacies } }))
  await page.route('**/api/message-history-report', (route) =>
    route.fulfill({ json: { message: 'Report Successfully Generated.' } }),
  )
  await page.getByRole('navigation', { name: 'Main' }).hover()
  await page.getByRole('button', { name: /Kowalski/ }).click()
  await page.getByRole('menuitem', { name: 'Message History Report' }).click()
  const report = dialog(page, 'Generate Message History Report')
  const generate = report.getByRole('button', { name: 'Generate Report' })
  await expect(report.getByRole('option', { name: 'Coburg VIC No Contact Set' })).toBeDisabled()
  await expect(generate).toBeDisabled()
  await expect(report.getByText('Select a pharmacy with a contact first')).toBeVisible()
  await report.getByRole('option', { name: /^Unley/ }).click()
  const sent = page.waitForRequest('**/api/message-history-report')
  await generate.click()
  expect((await sent).postDataJSON().ids).toEqual([pharmacies[1]?.pharmacy_id])
  await expect(page.getByText('Report Successfully Generated.')).toBeVisible()
})

/** The templates of a new campaign; further pages of the list wait until released. */
async function pickTemplates(page: Page) {
  await open(page, '/campaigns?dialog=new-campaign')
  const picker = page.getByRole('region', { name: 'Templates', exact: true })
  await expect(picker.getByRole('checkbox').nth(1)).toBeVisible()
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/template/list/enterprise', async (route) => {
    await held
    await route.continue()
  })
  const search = async (words: string) => {
    await picker.getByRole('searchbox').fill(words)
    await page.keyboard.press('Enter')
  }
  return { picker, all: picker.getByRole('button', { name: 'Select All' }), search, release }
}

test('Select All waits for the requested list, and ticks nothing out of sight', async ({ page }) => {
  const { picker, all, search, release } = await pickTemplates(page)
  await search('a')
  await expect(picker.getByRole('checkbox').first()).toBeVisible()
  await expect(all).toBeDisabled()
  release()
  await expect(all).toBeEnabled()
})

test('Select All ticks nothing in a list that has changed in the meantime, and removes no tick', async ({ page }) => {
  const { picker, all, search, release } = await pickTemplates(page)
  await all.click()
  await picker.getByRole('checkbox').first().check()
  await search('no template is called so')
  release()
  await expect(picker.getByText('No Templates Found')).toBeVisible()
  await expect(picker.getByText('1 selected')).toBeVisible()
})
