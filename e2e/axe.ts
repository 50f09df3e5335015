import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Every violation axe calls serious or critical, as one line each, so that a failure says what to mend. */
export async function expectNoSerious(page: Page, state: string, part = 'html'): Promise<void> {
  const axe = new AxeBuilder({ page }).include(part).options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
  expect.soft(serious, state).toEqual([])
}
