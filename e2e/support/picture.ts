import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import type { Locator, Page } from '@playwright/test'
import { type Ask, RUNNING } from './people.ts'

type Info = ReplyOf<typeof financials.initInfo>
type Table = ReplyOf<typeof financials.table>

/** A chart, found by the question in its caption. */
export const picture = (page: Page, question: string): Locator =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2 }) })
    .filter({ hasText: question })
    .last()

/** The button that replaces a chart with a table. */
export const SHOW_TABLE = /^Show “.*” as table$/

/** The table that replaces a chart: rows of cells, without its head. */
export async function tableOf(one: Locator): Promise<string[][]> {
  const button = one.getByRole('button', { name: SHOW_TABLE })
  if ((await button.getAttribute('aria-pressed')) === 'false') await button.click()
  return one
    .getByRole('table')
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '')),
    )
}

/** Every pharmacy's id, and the server's answer for the table by drug type. */
export async function tableAnswer(ask: Ask): Promise<{ ids: string[]; table: Table }> {
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const ids = pharmacies.map(({ pharmacy_id }) => pharmacy_id)
  return {
    ids,
    table: await ask<Table>('enterprise-pharmacy-table', {
      category: 'Drug Type',
      pharmacies: ids,
      changes: true,
      ...RUNNING,
    }),
  }
}
