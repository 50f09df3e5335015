import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { expect, test } from '@playwright/test'
import { offered } from '../support/files.ts'
import { grid } from '../support/grid.ts'
import { open, RUNNING, signInAs } from '../support/people.ts'

test('a period without data says so', async ({ page }) => {
  const ask = await signInAs(page)
  const { years } = await ask<ReplyOf<typeof financials.initInfo>>('enterprise-init-info', RUNNING)
  await page.goto(`/financials?period=${Math.min(...years)}`)
  await expect(page.getByRole('heading', { name: 'No data available' })).toBeVisible()
  await expect(page.getByText('-1 of 0')).toHaveCount(0)
  const file = await offered(page, 'Export CSV')
  await expect(file).toBeDisabled()
  await expect(page.getByRole('menu').getByText('The table on screen: nothing to export yet')).toBeVisible()
})

test('on the first days of a financial year the one before is a click away', async ({ page }) => {
  // The newest upload reached the last day of the year before: the screens of 1 July.
  const ended = `${RUNNING.year}-06-30`
  const running = (body: string | null) => JSON.parse(body ?? '{}').year === RUNNING.year
  for (const [call, change] of [
    ['enterprise-pharmacy-stats', { data_to: ended }],
    ['enterprise-pharmacy-table', { columns: [] }],
  ] as const) {
    await page.route(`**/api/${call}`, async (route) => {
      if (!running(route.request().postData())) return route.continue()
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...change } })
    })
  }
  await open(page)
  await expect(page.getByRole('heading', { name: 'No data available' })).toBeVisible()
  await page.getByRole('button', { name: /^Show Financial year/ }).click()
  await expect(page).toHaveURL(new RegExp(`period=${RUNNING.year - 1}`))
  await expect(grid(page)).toBeVisible()
})
