import type { ReplyOf } from '@pillar/contract'
import type { campaign } from '@pillar/contract/campaign/campaign'
import type { attribution } from '@pillar/contract/message/attribution'
import { currentCalendar } from '@pillar/domain/time/calendar-period'
import { dayIn } from '@pillar/domain/time/zone'
import { expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

type Progress = ReplyOf<typeof campaign.run>['progress']

const campaigns = (page: Page) => dialog(page, 'Campaigns')
const sending = (page: Page) => campaigns(page).getByRole('region', { name: 'Sending' })
/** The states of the messages, from the bar under a campaign's head. */
const bar = (page: Page) =>
  campaigns(page)
    .getByText(/^Delivered \d/)
    .first()
    .locator('..')

async function reenter(page: Page, within: string | RegExp, button: string | RegExp, password = PASSWORD) {
  await dialog(page, within).getByLabel('Password', { exact: true }).fill(password)
  await dialog(page, within).getByRole('button', { name: button }).click()
}

async function choosePharmacies(page: Page, names: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: /^Pharmacies/ }).click()
  for (const name of names) await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
}

const number = (text: string | null) => Number((text ?? '').replace(/\D/g, ''))

test('a campaign from nothing to its last message: refined, activated, cancelled, stopped, resumed, ended', {
  tag: '@main',
}, async ({ page }) => {
  test.setTimeout(360_000)
  // Pharmacy 1: ten get a text, one opted out, one has no number, two have another adherence level. Pharmacy 2: four get one.
  const network = await makeNetwork({
    pharmacies: 2,
    people: [
      ...Array.from({ length: 10 }, () => texted()),
      texted({ sms_opt_out: true }),
      texted({ sms_to: null, mobile: null }),
      ...Array.from({ length: 2 }, () => texted({ adherence_level: 5 })),
      ...Array.from({ length: 4 }, () => texted({ at: 1 })),
    ],
  })
  // Texts from a name cannot be answered, so no phone answers STOP by chance and gets another text.
  await network.sql(`update location set sms_sender = 'Harbour' where company_id = $1`, [network.company.id])
  const ask = await open(page, '/campaigns?dialog=new-campaign', network.username)
  const form = dialog(page, 'New campaign')
  const name = 'Repeats due this week'

  await test.step('an empty form says all it lacks and goes to the first field', async () => {
    await form.getByRole('button', { name: 'Activate…' }).click()
    await expect(form.getByRole('alert')).toHaveText(
      'Please enter a campaign name, select at least one pharmacy, select a goal type, choose how to measure it, enter a goal, select at least one template, and select at least one patient filter.',
    )
    await expect(form.getByLabel('Campaign name')).toBeFocused()
  })

  await test.step('the form', async () => {
    await form.getByLabel('Campaign name').fill(name)
    await choosePharmacies(
      page,
      network.pharmacies.map((each) => each.name),
    )
    await form.getByRole('radio', { name: 'Scripts' }).click()
    await form.getByRole('radio', { name: 'Value' }).click()
    await form.getByLabel('Goal', { exact: true }).fill('12')
    await form.getByRole('checkbox', { name: new RegExp(network.template) }).check()
    await expect(form.getByRole('alert')).toHaveText('Please select at least one patient filter.')
  })

  await test.step('the cohort is counted while it is refined, and adds up', async () => {
    await form.getByRole('button', { name: 'Refine Cohort' }).click()
    const cohort = dialog(page, /^Refine Cohort/)
    const side = cohort.getByRole('complementary', { name: 'Who would receive it' })
    const adherence = cohort.getByRole('group', { name: 'Adherence' })
    await adherence.getByRole('button', { name: /^2/ }).click()
    await expect(cohort.getByRole('button', { name: 'Save cohort of 14' })).toBeVisible()
    await adherence.getByRole('button', { name: /^5/ }).click()
    await expect(cohort.getByRole('button', { name: 'Save cohort of 16' })).toBeVisible()
    await adherence.getByRole('button', { name: /^5/ }).click()
    await expect(cohort.getByRole('button', { name: 'Save cohort of 14' })).toBeVisible()
    await expect(side.getByText('of 16 who match')).toBeVisible()
    const because = side.locator('div', { hasText: /^Held back because\s*2$/ }).last()
    await expect(because).toBeVisible()
    const reasons = await because.locator('xpath=following-sibling::dl[1]//dd').allTextContents()
    expect(reasons.map(number)).toEqual([1, 1])
    await expect(side.getByText('14 parts at 12c')).toBeVisible()
    await expect(side.getByText('$1.68')).toBeVisible()
    await cohort.getByRole('button', { name: 'See the list' }).click()
    const list = dialog(page, 'Cohort by pharmacy')
    await expect(list.getByRole('row', { name: 'TOTAL 16 2 14 $1.68' })).toBeVisible()
    const [one, two] = network.pharmacies
    await expect(list.getByRole('row', { name: `${one!.name}` })).toContainText(/12210\$1\.20/)
    await expect(list.getByRole('row', { name: `${two!.name}` })).toContainText(/404\$0\.48/)
    await list.getByRole('button', { name: 'Close' }).last().click()
    await cohort.getByRole('button', { name: 'Save cohort of 14' }).click()
    await expect(form.getByText('14 patients will receive this, 2 held back, $1.68')).toBeVisible()
  })

  await test.step('the button says what is sent; a wrong password sends nothing; a double click sends once', async () => {
    await expect(form.getByText('14 texts, $1.68')).toBeVisible()
    await form.getByRole('button', { name: 'Activate…' }).click()
    const sure = dialog(page, `Send “${name}”?`)
    const send = sure.getByRole('button', { name: 'Send 14 texts, $1.68' })
    await expect(send).toBeEnabled()
    await expect(sure).toContainText(
      /14 texts to 14 patients at 2 pharmacies, from .+ \(Sydney time\)\. 2 patients are held back\./,
    )
    await expect(sure.getByRole('figure').first()).toContainText(/Hi Alex, [^{}]*Opt out at http[^{}]*$/)
    await reenter(page, `Send “${name}”?`, 'Send 14 texts, $1.68', 'not the password')
    await expect(sure.getByRole('alert')).toContainText(/Incorrect|password/i)
    expect(await network.sql('select 1 from message_run where company_id = $1', [network.company.id])).toEqual([])
    await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await send.dblclick()
    await expect(campaigns(page).getByRole('heading', { name, level: 3 })).toBeVisible()
    // Read out; the countdown is not.
    await expect(page.getByRole('status').filter({ hasText: 'Campaign activated' })).toBeVisible()
  })

  const id = new URL(page.url()).searchParams.get('campaign')!
  const progress = async (): Promise<Progress> => {
    return (await ask<ReplyOf<typeof campaign.run>>(`campaign/${id}/run/enterprise`, {})).progress
  }

  await test.step('it counts down, is cancelled, and sent after all', async () => {
    await expect(sending(page).getByRole('timer')).toHaveText(/You can cancel this for [01]:\d\d\./, {
      timeout: 30_000,
    })
    expect(await network.sql('select 1 from message_run where company_id = $1', [network.company.id])).toHaveLength(1)
    await expect(bar(page)).toHaveText('Delivered 0 Held back 2 To send 14')
    // Nothing is sent before endHold, however slow the machine is.
    await network.sql(`update message_run set starts_at = now() + interval '1 hour' where company_id = $1`, [
      network.company.id,
    ])
    await sending(page).getByRole('button', { name: 'Cancel sending' }).click()
    await expect(sending(page).getByRole('status')).toHaveText(
      'Sending cancelled. Nothing has been sent. Resume to send 14 messages, or deactivate the campaign.',
    )
    await expect(campaigns(page).getByText('14 unsent messages will be cancelled.')).toBeVisible()
    await campaigns(page).getByRole('button', { name: 'Deactivate…' }).click()
    const off = dialog(page, `Deactivate “${name}”?`)
    await expect(off).toContainText('14 unsent messages will be cancelled. The campaign ends today')
    await expect(off.getByRole('button', { name: 'Deactivate, cancel 14' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(off).toHaveCount(0)
    await sending(page).getByRole('button', { name: 'Resume…' }).click()
    await reenter(page, /^Resume sending/, 'Send 14 messages')
    await expect(sending(page).getByRole('button', { name: 'Cancel sending' })).toBeVisible()
  })

  await test.step('while it runs one call is read again and again, and nothing twice', async () => {
    const reads: { path: string; at: number }[] = []
    const note = (request: { url: () => string }) => {
      const path = new URL(request.url()).pathname
      if (/campaign|message-stats/.test(path)) reads.push({ path, at: performance.now() })
    }
    page.on('request', note)
    // Data made stale by resuming is read first.
    const run = `/api/campaign/${id}/run/enterprise`
    await expect.poll(() => reads.slice(-4).map(({ path }) => path), { timeout: 60_000 }).toEqual([run, run, run, run])
    page.off('request', note)
    const [first, last] = [reads.at(-4)!, reads.at(-1)!]
    expect(last.at - first.at).toBeGreaterThan(4_500)
  })

  await test.step('editing it says who has it already', async () => {
    await campaigns(page).getByRole('button', { name: 'Edit' }).click()
    await expect(
      page.getByText('16 patients match. 14 of them already have this campaign’s message or are queued for it.'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('one pharmacy is stopped, the other goes out', async () => {
    const second = network.pharmacies[1]!.name
    await campaigns(page)
      .getByRole('button', { name: `Open ${second}` })
      .click()
    await campaigns(page).getByRole('button', { name: 'Stop this pharmacy' }).click()
    await expect(campaigns(page).getByRole('button', { name: 'Resume this pharmacy…' })).toBeVisible()
    await network.hold(0, 3)
    await network.endHold()
    // The delivered count rises on screen without help, up to the seven that are neither waiting nor stopped.
    await expect(sending(page).getByRole('button', { name: 'Stop all' })).toBeVisible({ timeout: 30_000 })
    await expect(bar(page)).toHaveText(/^Delivered [1-7]\b.*To send 7$/, { timeout: 60_000 })
  })

  await test.step('all is stopped at once, and nothing more goes', async () => {
    await sending(page).getByRole('button', { name: 'Stop all' }).click()
    await expect(sending(page).getByRole('status')).toHaveText('Stopped. 7 messages have not been sent.')
    await network.hold(0, 0)
    await page.waitForTimeout(3_000)
    expect((await progress()).queued).toBe(7)
  })

  await test.step('resumed with the password, it ends with every message accounted for', async () => {
    await sending(page).getByRole('button', { name: 'Resume…' }).click()
    await expect(dialog(page, /^Resume sending/)).toContainText('Nobody gets the same message twice.')
    await reenter(page, /^Resume sending/, 'Send 7 messages')
    await expect
      .poll(
        async () => {
          const { delivered, failed } = await progress()
          return delivered + failed
        },
        { timeout: 90_000 },
      )
      .toBe(14)
    const { delivered, failed, skipped, unknown, messages } = await progress()
    expect({ messages, skipped, unknown, sum: delivered + failed + skipped + unknown }).toEqual({
      messages: 16,
      skipped: 2,
      unknown: 0,
      sum: 16,
    })
    await expect(bar(page)).toHaveText(new RegExp(`^Delivered ${delivered}\\b.*Held back 2$`), {
      timeout: 30_000,
    })
    await expect(sending(page).getByText(/held back 2/)).toBeVisible()
    // The phones got each text once.
    const [once] = await network.sql<{ texts: string; people: string }>(
      `select count(*) as texts, count(distinct recipient) as people from simulator_message s
       where exists (select from unnest($1::text[]) as p(name) where strpos(s.body, p.name) > 0)`,
      [network.pharmacies.map((each) => each.name)],
    )
    expect([Number(once?.texts), Number(once?.people)]).toEqual([14, 14])
  })

  await test.step('the message table has the same', async () => {
    const { delivered } = await progress()
    const month = currentCalendar(dayIn('Australia/Sydney', new Date()))
    await expect
      .poll(
        async () => (await ask<ReplyOf<typeof attribution.stats>>('enterprise-message-stats', { ...month })).total_sms,
        { timeout: 60_000 },
      )
      .toBe(delivered)
    await page.reload()
    await expect(
      page.getByRole('table', { name: 'Messages by pharmacy' }).getByRole('row', { name: /TOTAL, 2 pharmacies/ }),
    ).toContainText(String(delivered))
  })

  await test.step('deactivated and deleted', async () => {
    const missing: string[] = []
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(new URL(response.url()).pathname)
    })
    await campaigns(page).getByRole('button', { name: 'Deactivate…' }).click()
    await reenter(page, `Deactivate “${name}”?`, 'Deactivate campaign')
    await expect(campaigns(page).getByRole('button', { name: 'Activate…' })).toBeVisible()
    await campaigns(page).getByRole('button', { name: 'Delete…' }).click()
    await reenter(page, `Delete “${name}”?`, 'Delete campaign')
    await expect(campaigns(page).getByText('No campaigns found')).toBeVisible()
    expect(missing).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByText('No active campaigns')).toBeVisible()
  })
})
