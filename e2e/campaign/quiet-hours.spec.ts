import { weekday } from '@pillar/domain/time/day'
import { instantAt } from '@pillar/domain/time/local-time'
import { dayIn } from '@pillar/domain/time/zone'
import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, type Network, texted } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

const ZONE = 'Australia/Melbourne'

/** Lets the company send for two hours the day after tomorrow, and at no other time. @returns that first minute in words */
async function closeUntilThen({ sql, company }: Network): Promise<{ opens: string; on: string }> {
  const opens = dayIn(ZONE, new Date()) + 2
  const week = Array.from({ length: 7 }, (_, index) => (index + 1 === weekday(opens) ? [600, 720] : null))
  await sql('update messaging_setting set week = $2 where company_id = $1', [company.id, JSON.stringify(week)])
  const day = new Intl.DateTimeFormat('en-AU', { timeZone: ZONE, weekday: 'short', day: 'numeric', month: 'short' })
  return {
    opens: `${day.format(instantAt(ZONE, opens, 600)).replace(',', '')}, 10:00 am`,
    on: day.format(instantAt(ZONE, opens, 600)).replace(',', ''),
  }
}

test('outside the allowed hours the screen says when texts will be sent, and none is sent before', async ({ page }) => {
  test.setTimeout(180_000)
  const network = await makeNetwork({ people: [texted(), texted()], campaign: 'Repeats due' })
  const { sql, company, pharmacies } = network
  const { opens, on } = await closeUntilThen(network)
  const left = async () => {
    const [texts] = await sql<{ count: string }>('select count(*) from simulator_message where strpos(body, $1) > 0', [
      pharmacies[0]!.name,
    ])
    return Number(texts?.count)
  }
  const planned = async () => {
    const rows = await sql<{ hours: number }>(
      `select extract(epoch from planned_at - now())::float8 / 3600 as hours from message
       where location_id = $1 and state = 'queued'`,
      [pharmacies[0]!.id],
    )
    return rows.filter(({ hours }) => hours > 20).length
  }

  await open(page, '/campaigns?dialog=campaigns', network.username)
  const campaigns = dialog(page, 'Campaigns')
  await campaigns.getByRole('button', { name: 'Activate…' }).click()
  const sure = dialog(page, 'Send “Repeats due”?')
  await expect(
    sure.getByText(`2 texts to 2 patients at 1 pharmacy, from 10:00 am on ${on} (Sydney time)`),
  ).toBeVisible()
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: 'Send 2 texts, $0.24' }).click()

  const timer = campaigns.getByRole('region', { name: 'Sending' }).getByRole('timer')
  await expect(timer).toContainText('You can cancel this for', { timeout: 30_000 })
  await expect(timer).toContainText(`Outside sending hours: sending starts ${opens}.`)
  await network.endHold()
  await expect(campaigns.getByText('Waiting for sending hours').first()).toBeVisible()
  await expect(campaigns.getByText('Sending', { exact: true })).toHaveCount(0)
  await expect(timer).toHaveText(new RegExp(`^2 messages to go\\. Outside sending hours: .*${opens}\\. All sent by`))

  // As after saving the rules, waiting messages are checked again. It is still quiet, so they are put off, not sent.
  await network.hold(0, 0)
  await expect.poll(planned, { timeout: 60_000 }).toBe(2)
  expect(await left()).toBe(0)
  await expect(timer).toContainText(opens)

  // Open at all hours: now they are sent.
  await sql('update messaging_setting set week = $2 where company_id = $1', [
    company.id,
    JSON.stringify(Array.from({ length: 7 }, () => [0, 1440])),
  ])
  await network.hold(0, 0)
  await expect.poll(left, { timeout: 60_000 }).toBe(2)
})
