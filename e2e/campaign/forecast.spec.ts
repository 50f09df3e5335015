import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

test('recommended campaigns show how many patients match: those their cohort selects', async ({ page }) => {
  const ask = await open(page, '/campaigns')
  type Recommended = { name: string; patients: number; filters: object }
  const { campaigns } = await ask<{ campaigns: Recommended[] }>('campaign-recommendation/company/list', { page: 1 })
  const { data } = await ask<{ data: { uuid: string }[] }>('get-pharmacies', {})
  const pharmacies = data.map(({ uuid }) => uuid)
  const list = page.getByRole('region', { name: 'Recommended by Pillar' })
  const first = campaigns.find(({ name }) => name === 'Asthma preventer before summer')!
  await expect(list.getByRole('button', { name: first.name })).toContainText(
    `Campaign · ${first.patients.toLocaleString('en-AU')} patients match`,
  )
  const { selected } = await ask<{ selected: number }>('campaign/cohort/enterprise', {
    filters: first.filters,
    pharmacies,
  })
  expect(first.patients).toBe(selected)
  expect(selected).toBeGreaterThan(0)
  await list.getByRole('button', { name: first.name }).click()
  await expect(page.getByRole('dialog').getByRole('list', { name: 'Recommendations' })).toContainText('patients match')
  await page.screenshot({ path: test.info().outputPath('recommended.png') })
})

test('the question before sending says how many are in the comparison group', async ({ page }) => {
  const network = await makeNetwork({ people: Array.from({ length: 20 }, () => texted()), campaign: 'Holdout' })
  await network.sql('update messaging_setting set holdout_percent = 50 where company_id = $1', [network.company.id])
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await page.getByRole('button', { name: 'Activate…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send “Holdout”?' })
  await expect(dialog).toContainText(
    'About 10 of these patients are in the comparison group, to measure the effect: no message, no cost.',
  )
  await expect(dialog.getByRole('button', { name: 'Send 20 texts' })).toBeVisible()
  await expectAccessible(page, 'about to send with a holdout', OPENED)
  await page.screenshot({ path: test.info().outputPath('holdout.png') })
})

test('a campaign holds nobody out if its form says so', async ({ page }) => {
  const people = Array.from({ length: 20 }, () => texted())
  const network = await makeNetwork({ people, campaign: 'Recall', pharmacies: 4 })
  await network.sql('update messaging_setting set holdout_percent = 50 where company_id = $1', [network.company.id])
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit campaign' })
  const choice = form.getByRole('checkbox', { name: 'Keep nobody back at random' })
  await expect(choice).not.toBeChecked()
  await choice.focus()
  await page.keyboard.press('Space')
  await expect(choice).toBeChecked()
  await expectAccessible(page, 'a campaign that keeps nobody back', OPENED)
  await page.screenshot({ path: test.info().outputPath('form.png') })
  // On a phone, no part of the form extends beyond the screen, however many pharmacies it names.
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  const right = () => form.getByLabel('Campaign name').evaluate((field) => field.getBoundingClientRect().right)
  await expect.poll(right).toBeLessThan(390)
  await page.screenshot({ path: test.info().outputPath('form-phone.png') })
  await page.setViewportSize(size)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Keeps nobody back')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('detail.png') })
  await page.getByRole('button', { name: 'Activate…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send “Recall”?' })
  await expect(dialog.getByRole('button', { name: 'Send 20 texts' })).toBeVisible()
  await expect(dialog).not.toContainText('comparison group')
})

/** Opens the form of a new campaign for 20 patients, half of whom the company's rules keep back. */
async function copyForTwenty(page: Page): Promise<Locator> {
  const network = await makeNetwork({ people: Array.from({ length: 20 }, () => texted()), campaign: 'Recall' })
  await network.sql('update messaging_setting set holdout_percent = 50 where company_id = $1', [network.company.id])
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  return page.getByRole('dialog', { name: 'Copy campaign' })
}

test('the question before a new campaign is sent counts a comparison group only if its form keeps one back', async ({
  page,
}) => {
  const form = await copyForTwenty(page)
  const sure = page.getByRole('dialog', { name: 'Send “Recall (copy)”?' })
  await form.getByRole('button', { name: 'Activate…' }).click()
  await expect(sure).toContainText('About 10 of these patients are in the comparison group')
  await sure.getByRole('button', { name: 'Back' }).click()
  await form.getByRole('checkbox', { name: 'Keep nobody back at random' }).check()
  await form.getByRole('button', { name: 'Activate…' }).click()
  await expect(sure.getByRole('button', { name: 'Send 20 texts' })).toBeVisible()
  await expect(sure).not.toContainText('comparison group')
})

test('Refine Cohort counts as the form does: from its start date, and a comparison group only if one is kept back', async ({
  page,
}) => {
  const form = await copyForTwenty(page)
  const refine = page.getByRole('dialog', { name: /^Refine Cohort/ })
  await form.getByRole('button', { name: 'Refine Cohort' }).click()
  await expect(refine).toContainText('About 10 of these patients are in the comparison group')
  await expect(refine).not.toContainText('3 Dec')
  await refine.getByRole('button', { name: 'Back' }).click()
  await form.getByRole('checkbox', { name: 'Keep nobody back at random' }).check()
  await form.getByLabel('Start date').fill('03/12/2099')
  await form.getByRole('button', { name: 'Refine Cohort' }).click()
  await expect(refine).toContainText(/Sending starts at .*3 Dec/)
  await expect(refine).not.toContainText('comparison group')
})

test('a new campaign whose cohort grows while the password is typed is not sent until the new number has been seen', async ({
  page,
}) => {
  const people = [texted(), texted({ adherence_level: 5 }), texted({ adherence_level: 5 })]
  const network = await makeNetwork({ people, campaign: 'Recall' })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByRole('dialog', { name: 'Copy campaign' }).getByRole('button', { name: 'Activate…' }).click()
  const sure = page.getByRole('dialog', { name: 'Send “Recall (copy)”?' })
  await expect(sure.getByRole('button', { name: /^Send 1 text,/ })).toBeVisible()
  await network.sql('update patient_fact set adherence_level = 2 where location_id = $1', [network.pharmacies[0]!.id])
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: /^Send 1 text,/ }).click()
  await expect(sure.getByRole('alert')).toContainText('The cohort has grown: 3 messages would be sent now, not 1.')
  expect(await network.sql('select from message_run where company_id = $1', [network.company.id])).toEqual([])
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: /^Send 3 texts,/ }).click()
  await expect(sure).toHaveCount(0)
  expect(await network.sql('select from message_run where company_id = $1', [network.company.id])).toHaveLength(1)
})

test('the sequences that use a template are named before it is deactivated or deleted', async ({ page }) => {
  const { sql, company, pharmacies, template, username } = await makeNetwork({ pharmacies: 2 })
  for (const { id } of pharmacies) {
    await sql(
      `with q as (
         insert into sequence (location_id, uuid, title, sequence_event_id, active)
         select $1, gen_random_uuid(), 'Repeat reminder', (select min(id) from sequence_event), true returning location_id, id)
       insert into follow_up (location_id, uuid, sequence_id, follow_up_order, days_after, template_id)
       select q.location_id, gen_random_uuid(), q.id, 1, 3, t.id from q, template t where t.company_id = $2 and t.name = $3`,
      [id, company.id, template],
    )
  }
  await open(page, '/campaigns?dialog=templates', username)
  await expect(page.getByRole('list', { name: 'Sequences' })).toHaveText('Repeat reminder, 2 pharmacies')
  await page.getByRole('button', { name: 'Deactivate…' }).click()
  await expect(page.getByRole('dialog').last()).toContainText(
    '1 active sequence uses it: Repeat reminder. It will no longer be sent. Follow-ups that use it will be skipped',
  )
  await page.screenshot({ path: test.info().outputPath('sequences.png') })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete…' }).click()
  await expect(page.getByRole('dialog').last()).toContainText('1 sequence uses it: Repeat reminder.')
})

test('revenue names its method, and no pharmacy with few patients claims one', async ({ page }) => {
  const ask = await open(page, '/campaigns')
  const { campaigns } = await ask<{ campaigns: { name: string; campaign_id: string }[] }>('campaign/enterprise/list', {
    page: 1,
  })
  type Row = { revenue_method: string | null }
  type Stats = { campaign_id: string; revenue_method: string | null; revenue_method_name: string; pharmacies: Row[] }
  const all: Stats[] = []
  for (const { campaign_id } of campaigns.filter(({ name }) => name.startsWith('Demo: ')))
    all.push({ ...(await ask<Stats>('campaign/enterprise/stats', { campaign_id, page: 1 })), campaign_id })
  // How many a demo campaign reached depends on the day: the smaller ones have a method on some days only.
  const { campaign_id, ...stats } = all.find(({ revenue_method }) => revenue_method !== null)!
  await page.goto(`/campaigns?dialog=campaigns&campaign=${campaign_id}`)
  await expect(page.getByText(`Revenue: ${stats.revenue_method_name}`).first()).toBeVisible()
  // Each reached fewer than the hundred that a method needs, so no row claims one.
  expect(stats.pharmacies.every(({ revenue_method: own }) => own === null)).toBe(true)
  await expect(page.getByText(/^Too few to tell/).first()).toBeVisible()
  await expectAccessible(page, 'methods of revenue', OPENED)
  await page.screenshot({ path: test.info().outputPath('methods.png') })
})

test('a pharmacy with another revenue method names it, and a revenue goal says what it counts', async ({ page }) => {
  const { sql, company, pharmacies, username } = await makeNetwork({ pharmacies: 2, campaign: 'Revenue' })
  const [big, small] = pharmacies
  const own = 'campaign_id from campaign_location where company_id = $1 limit 1'
  await sql(
    `update campaign set active = true, goal_type = 'revenue', measure_by = 'target', goal = 40000 where company_id = $1`,
    [company.id],
  )
  // 900 got it and spent $58.20, 100 were held out and spent $52.00; at the other pharmacy a hundred spent $500, with $400 expected.
  for (const [id, people, cents, expected] of [
    [big!.id, 900, 5_238_000, 4_680_000],
    [small!.id, 100, 50_000, 40_000],
  ]) {
    await sql(
      `insert into campaign_result (location_id, campaign_id, from_day, to_day, people, cents, observed_days, covered_days, here_slots,
         leaked_slots, attributed_people, attributed_cents, expected_cents, computed_to)
       select $2, campaign_id, '2026-10-01', '2026-11-01', $3, $4, 0, 0, 0, 0, $3, $4, $5, '2026-11-01' from (select ${own}) c`,
      [company.id, id, people, cents, expected],
    )
    await sql(
      `insert into campaign_day (location_id, campaign_id, day, delivered, failed, held_back, unsettled)
       select $2, campaign_id, '2026-10-01', $3, 0, 0, 0 from (select ${own}) c`,
      [company.id, id, people],
    )
  }
  for (const [part, n, dollars] of [
    ['treated', 900, 58.2],
    ['held_out', 100, 52],
  ] as const) {
    await sql(
      `insert into campaign_group (location_id, campaign_id, part, n, dollars, dollars_squared, change_n, change_dollars, change_squared, change_base)
       select $2, campaign_id, $3, $4, $5, $6, 0, 0, 0, 0 from (select ${own}) c`,
      [company.id, big!.id, part, n, n * dollars, n * dollars ** 2],
    )
  }
  await open(page, '/campaigns', username)
  const card = page.getByRole('article').filter({ hasText: 'Revenue' })
  await expect(card.getByRole('meter')).toHaveAttribute('aria-valuetext', /^\$52,880/)
  await expect(card).toContainText('All dispensed to the campaign’s patients since it started, messaged or not')
  await page.screenshot({ path: test.info().outputPath('card.png') })
  await card.getByRole('button', { name: 'Revenue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Campaigns' })
  await expect(dialog.getByText('Revenue: Compared with a random group not messaged')).toBeVisible()
  const row = (name: string) => dialog.getByRole('row').filter({ hasText: name })
  await expect(row(big!.name).getByRole('cell', { name: '$5,580', exact: true })).toBeVisible()
  await expect(row(small!.name).getByRole('cell', { name: '$100 estimate', exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: `Open ${small!.name}` }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Revenue: Estimate, compared with the patients’ previous year')).toBeVisible()
  await expectAccessible(page, 'revenue by two methods', OPENED)
  await page.screenshot({ path: test.info().outputPath('two-methods.png') })
})

test('while the count is made again, patients who match are not shown as patients who receive it, nor the other way round', async ({
  page,
}) => {
  const people = [texted({ sex: 'F' }), texted({ sex: 'M', sms_opt_out: true })]
  const network = await makeNetwork({ people, campaign: 'Recall' })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit campaign' })
  const cohort = form.getByRole('region', { name: 'Patient cohort' })
  const received = cohort.getByText('1 patient will receive this, 1 held back, $0.12', { exact: true })
  const matched = cohort.getByText(
    '2 patients match. Select templates to see who can receive them and what it costs.',
    {
      exact: true,
    },
  )
  await expect(received).toBeVisible()
  for (const after of [matched, received]) {
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route('**/api/campaign/cohort/enterprise', async (route) => {
      await held
      await route.continue()
    })
    await form.getByRole('checkbox', { name: network.template }).click()
    await expect(cohort.getByText('Counting…', { exact: true })).toBeVisible()
    await expect(cohort).not.toContainText(/patients? (match|will receive)/)
    release()
    await expect(after).toBeVisible()
    await page.unroute('**/api/campaign/cohort/enterprise')
  }
  await form.getByRole('checkbox', { name: network.template }).click()
  await form.getByRole('button', { name: 'Refine Cohort' }).click()
  const refine = page.getByRole('dialog', { name: /^Refine Cohort/ })
  await refine.getByRole('button', { name: 'Male', exact: true }).click()
  await expect(refine.getByText('patient matches', { exact: true })).toBeVisible()
  await refine.getByRole('button', { name: 'Save cohort of 1', exact: true }).click()
  await expect(cohort).toContainText('1 patient matches. Select templates')
})
