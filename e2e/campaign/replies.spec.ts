import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, type Network, texted } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

/** A phone that answers ‘Can I pick up Friday?’; docs/operations.md. */
const ASKS = '000008'
const items = (page: Page) => dialog(page, 'Replies').getByRole('list', { name: 'Replies' }).getByRole('listitem')

let told = 0
/** Answers arrive at the first pharmacy's own sender, as a gateway would deliver them, and are processed. */
async function answer(network: Network, from: string, texts: readonly string[]): Promise<void> {
  const sender = `+614900${String(network.company.id).padStart(5, '0')}`
  const place = network.pharmacies[0]!.id
  await network.sql('update location set sms_sender = $1 where id = $2', [sender, place])
  const count = async () =>
    Number((await network.sql('select count(*) as n from message_reply where location_id = $1', [place]))[0]!.n)
  const before = await count()
  for (const text of texts) {
    const id = `e2e-${network.company.id}-${++told}`
    const event = { id, at: new Date().toISOString(), kind: 'reply', from, to: sender, text }
    await network.sql('insert into gateway_event (gateway, event_id, payload) values ($1, $2, $3)', ['e2e', id, event])
  }
  await expect.poll(count, { timeout: 20_000 }).toBe(before + texts.length)
}

test('a patient’s reply is counted beside the buttons, read, and leads to its campaign', { tag: '@main' }, async ({
  page,
}) => {
  test.setTimeout(240_000)
  const network = await makeNetwork({ people: [texted({}, ASKS)], campaign: 'Repeats due' })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await dialog(page, 'Campaigns').getByRole('button', { name: 'Activate…' }).click()
  const sure = dialog(page, /^Send “Repeats due”/)
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: 'Send 1 text, $0.12' }).click()
  await expect(dialog(page, 'Campaigns').getByRole('button', { name: 'Cancel sending' })).toBeVisible({
    timeout: 30_000,
  })
  await network.endHold()
  await expect
    .poll(() => network.sql('select 1 from message_reply where location_id = $1', [network.pharmacies[0]!.id]), {
      timeout: 90_000,
    })
    .toHaveLength(1)

  await page.goto('/campaigns')
  await page.getByRole('button', { name: 'Replies 1 unread' }).click()
  await expect(page).toHaveURL('/campaigns?dialog=replies')
  const [patient] = await network.sql<{ source_id: string }>('select source_id from patient where id = $1', [
    network.patients[0],
  ])
  const reply = items(page).first()
  await expect(reply).toContainText('Can I pick up Friday?')
  await expect(reply).toContainText(network.pharmacies[0]!.name)
  await expect(reply).toContainText(`Patient ${patient!.source_id}`)
  await expect(dialog(page, 'Replies')).not.toContainText('+614')

  await reply.getByRole('button', { name: 'Mark as read' }).click()
  await expect(dialog(page, 'Replies').getByText('No unread replies')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(items(page)).toHaveCount(1)
  await items(page).first().getByRole('button', { name: 'Mark as read' }).click()
  await dialog(page, 'Replies').getByRole('button', { name: 'Show all' }).click()
  await expect(page).toHaveURL('/campaigns?dialog=replies&show=all')
  await expect(items(page).first()).toContainText('Read by Test Person')
  await expect(page.getByRole('button', { name: 'Replies', exact: true, includeHidden: true })).toHaveCount(1)
  await items(page).first().getByRole('button', { name: 'Repeats due' }).click()
  await expect(dialog(page, 'Campaigns')).toContainText('Repeats due')
})

test('by keyboard: from one reply to the next, and back to the starting point', async ({ page }) => {
  const network = await makeNetwork({ people: [texted()], reached: true })
  await answer(network, '+61499999123', ['Are you open?', 'please stop texting me', 'Thanks'])
  await open(page, '/campaigns', network.username)
  const opener = page.getByRole('button', { name: 'Replies 3 unread' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(items(page)).toHaveCount(3)
  await expect(items(page).filter({ hasText: 'please stop texting me' })).toContainText('This may be an opt-out')
  await expect(items(page).first()).toContainText('No known patient, number ending in 123')
  await items(page).nth(1).getByRole('button', { name: 'Mark as read' }).focus()
  await page.keyboard.press('Enter')
  await expect(items(page)).toHaveCount(2)
  await expect(items(page).nth(1).getByRole('button', { name: 'Mark as read' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(items(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Replies').getByText('No unread replies')).toBeVisible()
  // The list is empty, but the focus is still in the dialog.
  expect(await dialog(page, 'Replies').evaluate((box) => box.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Replies')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Replies', exact: true })).toBeFocused()
})

test('an opt-out in the patient’s own words stops texts, cancels pending ones, and stays shown', async ({ page }) => {
  const person = texted()
  const network = await makeNetwork({ people: [person, person], reached: true })
  const place = network.pharmacies[0]!
  await network.sql(
    `update message set state = 'queued', sent_at = null, settled_at = null, planned_at = now() + interval '1 day'
    where location_id = $1 and patient_id = $2`,
    [place.id, network.patients[1]],
  )
  await answer(network, person.sms_to!, ['Thanks', 'please stop texting me, I have moved'])
  await answer(network, '+61499999123', ['stop it please'])
  await open(page, '/campaigns?dialog=replies', network.username)
  await expect(items(page)).toHaveCount(3)
  const stranger = items(page).filter({ hasText: 'stop it please' })
  await expect(stranger).toContainText('No patient of this pharmacy has this number')
  await expect(stranger.getByRole('button', { name: 'Stop texts to this number' })).toHaveCount(0)
  await expect(items(page).filter({ hasText: 'Thanks' }).getByRole('button', { name: 'Stop texts' })).toHaveCount(1)

  const wish = items(page).filter({ hasText: 'I have moved' })
  const opener = wish.getByRole('button', { name: 'Stop texts to this number' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const sure = dialog(page, `Stop texts to the number ending in ${person.sms_to!.slice(-3)}?`)
  await expect(sure).toContainText(
    `2 patients at ${place.name} will get no more texts from it. They can reply START to come back.`,
  )
  await sure.getByRole('button', { name: 'Back' }).click()
  await expect(opener).toBeFocused()
  expect(await network.sql('select 1 from consent_entry where location_id = $1', [place.id])).toEqual([])

  await page.keyboard.press('Enter')
  await sure.getByRole('button', { name: 'Stop texts to 2 patients' }).click()
  await expect(page.getByText('Texts to this number stopped')).toBeVisible()
  await expect(items(page)).toHaveCount(2)
  // The reply left the list with the pressed button; the reply in its place has the focus.
  await expect(items(page).nth(1).getByRole('button', { name: 'Mark as read' })).toBeFocused()
  await expect(items(page).filter({ hasText: 'Thanks' })).toContainText('Texts to this number have already ended.')
  const log = await network.sql(
    'select type, wording, source, contact, contact_sealed is not null as sealed from consent_entry where location_id = $1',
    [place.id],
  )
  const entry = { type: 'stop', wording: 'please stop texting me, I have moved', source: 'head office' }
  expect(log).toEqual([0, 1].map(() => ({ ...entry, contact: null, sealed: true })))
  const queued = await network.sql('select state, reason from message where location_id = $1 and patient_id = $2', [
    place.id,
    network.patients[1],
  ])
  expect(queued).toEqual([{ state: 'skipped', reason: 'opted_out' }])

  await dialog(page, 'Replies').getByRole('radio', { name: 'All' }).click()
  await expect(wish).toContainText('Texts stopped by Test Person')
  await expect(wish).toContainText('Read by Test Person')
  await expect(wish.getByRole('button', { name: /Stop texts/ })).toHaveCount(0)
  await wish.getByRole('button', { name: 'Mark as unread' }).click()
  await expect(wish.getByRole('button', { name: 'Mark as read' })).toBeVisible()
  await expect(wish).toContainText('Texts stopped by Test Person')
})

test('the server’s refusal is shown in the question, and nothing is stopped', async ({ page }) => {
  const person = texted()
  const network = await makeNetwork({ people: [person], reached: true })
  await answer(network, person.sms_to!, ['I said stop'])
  await open(page, '/campaigns?dialog=replies', network.username)
  await expect(items(page)).toHaveCount(1)
  await expect(dialog(page, 'Replies').getByText('Possible opt-outs are marked one by one.')).toBeVisible()
  // Its retention ends while the dialog is open.
  await network.sql('update message_reply set body = null where location_id = $1', [network.pharmacies[0]!.id])
  await items(page).first().getByRole('button', { name: 'Stop texts to this number' }).click()
  const sure = dialog(page, /^Stop texts to the number/)
  await sure.getByRole('button', { name: 'Stop texts to 1 patient' }).click()
  await expect(sure.getByRole('alert')).toContainText('The text of this reply was removed after 24 months')
  await sure.getByRole('button', { name: 'Back' }).click()
  await page.reload()
  await expect(items(page).first()).toContainText('If you know it was meant, ask the pharmacy to record the opt-out')
  await expect(
    items(page)
      .first()
      .getByRole('button', { name: /Stop texts/ }),
  ).toHaveCount(0)
})

test('nothing yet, loading and failed do not look alike', async ({ page }) => {
  const network = await makeNetwork()
  await open(page, '/campaigns?dialog=replies&show=all', network.username)
  await expect(dialog(page, 'Replies').getByText('No replies yet')).toBeVisible()

  let broken = true
  await page.route('**/api/messaging/replies', (route) =>
    broken
      ? route.fulfill({ status: 500, json: { code: 'failed', message: 'Something went wrong.' } })
      : route.continue(),
  )
  await page.route('**/api/messaging/replies/unread', (route) =>
    broken
      ? route.fulfill({ status: 500, json: { code: 'failed', message: 'Something went wrong.' } })
      : route.continue(),
  )
  await page.goto('/campaigns?dialog=replies')
  await expect(dialog(page, 'Replies').getByText('Could not load the replies')).toBeVisible()
  const button = page.getByRole('button', { name: /could not load how many/i, includeHidden: true })
  await expect(button).toHaveCount(1)
  broken = false
  await dialog(page, 'Replies').getByRole('button', { name: 'Try again' }).click()
  await expect(dialog(page, 'Replies').getByText('No unread replies')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test.describe(`${colorScheme}, ${viewport.width} wide`, () => {
      test.use({ colorScheme, viewport })

      test('Replies has no serious fault and no sideways scroll', async ({ page }) => {
        const person = texted()
        const network = await makeNetwork({ people: [person], reached: true, campaign: 'Repeats due' })
        await answer(network, person.sms_to!, [
          'Can I pick up Friday?',
          'please stop texting me, I have moved to Geelong',
        ])
        await answer(network, '+61499999123', ['Averylongwordwithoutanyspace'.repeat(12)])
        await open(page, '/campaigns?dialog=replies', network.username)
        await expect(items(page)).toHaveCount(3)
        await expect(dialog(page, 'Replies')).toHaveCSS('opacity', '1')
        await expectAccessible(page, 'replies', '[role=dialog]')
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
        // A possible opt-out comes first, whatever arrived after it.
        await items(page).first().getByRole('button', { name: 'Stop texts to this number' }).click()
        const sure = dialog(page, /^Stop texts to the number/)
        await expect(sure).toHaveCSS('opacity', '1')
        await expectAccessible(page, 'stop texts', '[role=dialog]')
        await sure.getByRole('button', { name: 'Stop texts to 1 patient' }).click()
        // Until it has disappeared, those below are about to move up, away from a click.
        await expect(items(page)).toHaveCount(2)
        const long = items(page).filter({ hasText: 'Averylongword' })
        await long.getByRole('button', { name: 'Mark as read' }).click()
        await dialog(page, 'Replies').getByRole('radio', { name: 'All' }).click()
        await expect(long).toContainText('Read by')
        await expect(items(page).filter({ hasText: 'I have moved' })).toContainText('Texts stopped by')
        await expectAccessible(page, 'all replies', '[role=dialog]')
      })
    })
  }
}

test('an opt-out whose answer was lost is shown as it is once Replies is closed', async ({ page }) => {
  const person = texted()
  const network = await makeNetwork({ people: [person], reached: true })
  await answer(network, person.sms_to!, ['please stop texting me'])
  await open(page, '/campaigns', network.username)
  await page.getByRole('button', { name: 'Replies 1 unread' }).click()
  await items(page).first().getByRole('button', { name: 'Stop texts to this number' }).click()
  await page.route(
    '**/api/messaging/replies/*/stop',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  const sure = dialog(page, /^Stop texts to the number/)
  await sure.getByRole('button', { name: 'Stop texts to 1 patient' }).click()
  await expect(sure.getByRole('alert')).toContainText('it may or may not have been done.')
  await sure.getByRole('button', { name: 'Back' }).click()
  await dialog(page, 'Replies').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Replies', exact: true })).toBeVisible()
})
