import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Rules = Parameters<AxeBuilder['options']>[0]['runOnly']

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The dialog open over the page, which is then hidden from everyone. */
export const OPENED = '[role=dialog]'

/** Expects no violation of WCAG 2.2 AA, and nothing else that axe calls serious or critical. Each is reported as one line. */
export async function expectAccessible(
  page: Page,
  state: string,
  parts: string | (string | string[])[] = 'html',
  runOnly: Rules = { type: 'tag', values: [...WCAG, 'best-practice'] },
): Promise<void> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'], runOnly })
  // A part within a frame is addressed by the frame's selector and its own.
  for (const part of typeof parts === 'string' ? [parts] : parts) axe.include(part)
  const { violations } = await axe.analyze()
  const found = violations
    .filter(
      ({ impact, tags }) => impact === 'serious' || impact === 'critical' || tags.some((tag) => WCAG.includes(tag)),
    )
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
  expect.soft(found, state).toEqual([])
}

/** What a theme may change. */
const COLOURS: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** The same in the light theme, plus the colours in the dark one, to which the page switches when the machine does. */
export async function expectAccessibleInBoth(page: Page, state: string, parts?: string | string[]): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    // Drawn in the new colours, even if they change gradually.
    await page.evaluate(async () => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    })
    await expectAccessible(page, `${state}, ${colorScheme}`, parts, colorScheme === 'dark' ? COLOURS : undefined)
  }
}
