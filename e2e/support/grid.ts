import { expect, type Locator, type Page } from '@playwright/test'

export const grid = (page: Page): Locator => page.getByRole('grid')

/** Wide and tall enough that every column and row of the demo network is drawn. */
export const ALL_DRAWN = { width: 4400, height: 2400 }

/** Waits until the table on screen answers the latest question. */
export async function settled(page: Page): Promise<void> {
  await expect(grid(page)).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** The table as drawn: head, pinned rows, pharmacies; the name or figure of each cell, without its small line. */
export async function cellsOf(page: Page): Promise<string[][]> {
  await settled(page)
  return grid(page)
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('th, td:not([aria-hidden])')].map(
          (cell) => cell.querySelector('span')?.textContent?.trim() ?? '',
        ),
      ),
    )
}

/** The number in a text such as '$1,234', '−5.20%' or '1,234 scripts'; NaN if it contains none. */
export function numberIn(text: string): number {
  const digits = text.replace(/[^0-9.−-]/g, '').replace('−', '-')
  return digits === '' ? Number.NaN : Number(digits)
}
