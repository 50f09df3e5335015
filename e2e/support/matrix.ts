import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessibleInBoth, OPENED } from './axe.ts'
import { strayBars } from './reach.ts'

/** One press on the way to a dialog: a button, its region, and the item of the menu it opens. */
export interface Press {
  button: string | RegExp
  /** The region that contains it. */
  in?: string
  /** The item in the menu that the button opens. */
  item?: string | RegExp
}

/** A dialog: its name here, and the presses that lead to it. All but the last open the one before. */
export type Way = readonly [state: string, ...presses: Press[]]

/** What the page records while Tab moves through it. */
interface Watched {
  part?: Element
  seen: Set<EventTarget | null>
  wanted: HTMLElement[]
  left: string[]
}

const WIDE = { width: 1440, height: 900 }
const SMALL = { width: 320, height: 640 }

/** Includes those below another one, which are hidden from everyone. */
const dialogs = (page: Page) => page.locator('[role=dialog]')
const named = (name: string | RegExp) => (typeof name === 'string' ? { name, exact: true } : { name })

/** Waits until nothing loads any more. */
export async function still(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await expect(page.getByText('Loading records, please wait...')).toHaveCount(0)
}

/** Elements beyond the edge of the window that no scrolling brings into view. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const found = [...document.querySelectorAll('button, a, input, select, textarea, h1, h2, h3, p')].filter((one) => {
      const { left, right, width, height } = one.getBoundingClientRect()
      if (width < 2 || height < 2 || getComputedStyle(one).visibility === 'hidden') return false
      if (one.closest('#rail, .sr, .skip') || (right <= window.innerWidth + 1 && left >= -1)) return false
      return !scrolls(one.parentElement)
    })
    const names = found.map(
      (one) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent?.slice(0, 40)}`,
    )
    // An open dialog scrolls only vertically: its tables and its text scroll in their own boxes.
    const bodies = [...document.querySelectorAll('[role=dialog] [class*=_body_]')]
    const wide = bodies.some((body) => body.scrollWidth > body.clientWidth + 1)
    if (wide) names.push('the dialog scrolls sideways')
    if (document.documentElement.scrollWidth > window.innerWidth) names.push('the page scrolls sideways')
    return names
  })

/** Expects nothing to be cut off when a phone, or a window enlarged four times, leaves 320 px. */
async function expectNarrow(page: Page, state: string): Promise<void> {
  await page.setViewportSize(SMALL)
  await expect.poll(() => beyond(page), { message: `${state}, 320 px wide` }).toEqual([])
  await page.setViewportSize(WIDE)
}

const expectNoStrayBars = async (page: Page, state: string): Promise<void> =>
  expect.soft(await strayBars(page), `${state}: scrollbars beside what is all shown`).toEqual([])

/** Expects Tab to reach every control of a part of the page, and to stay inside a dialog. */
async function expectTabbed(page: Page, part: Locator, state: string, trapped: boolean): Promise<void> {
  const count = await part.evaluate((root) => {
    const fields = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]'
    const shown = (one: HTMLElement) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0
    const chosen = (one: HTMLElement) => !(one instanceof HTMLInputElement && one.type === 'radio') || one.checked
    const all = [...root.querySelectorAll<HTMLElement>(fields)]
    const wanted = all.filter((one) => shown(one) && chosen(one) && !one.matches(':disabled'))
    const watched = window as unknown as Watched
    if (!watched.part) {
      document.addEventListener('focusin', ({ target }) => {
        watched.seen.add(target)
        if (!watched.part?.contains(target as Node)) watched.left.push((target as HTMLElement).outerHTML.slice(0, 120))
      })
    }
    Object.assign(watched, { part: root, seen: new Set([document.activeElement]), wanted, left: [] })
    return wanted.length
  })
  // A date field has three stops and its calendar, a list has its visible rows: more presses than controls.
  const missing = () =>
    page.evaluate(() => {
      const { seen, wanted } = window as unknown as Watched
      const name = (one: HTMLElement) =>
        `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent?.slice(0, 40)}`
      return wanted.filter((one) => one.isConnected && !seen.has(one)).map(name)
    })
  for (let presses = 0; presses < 3 * count + 60; presses++) {
    await page.keyboard.press('Tab')
    if (presses % 15 === 14 && (await missing()).length === 0) break
  }
  expect.soft(await missing(), `${state}: Tab never comes to`).toEqual([])
  if (!trapped) return
  const left = await page.evaluate(() => (window as unknown as Watched).left)
  expect.soft(left, `${state}: the focus leaves what is open`).toEqual([])
}

/** Checks a screen: colours of both themes, 320 px, and the keyboard. */
export async function expectScreen(page: Page, state: string): Promise<void> {
  await still(page)
  await expectAccessibleInBoth(page, state)
  await expectNoStrayBars(page, state)
  await expectNarrow(page, state)
  await expectTabbed(page, page.locator('main'), state, false)
}

/** Presses a button by keyboard, and the item of its menu. @returns the element that must get the focus back afterwards */
async function press(page: Page, { button, in: region, item }: Press): Promise<Locator> {
  const open = await dialogs(page).count()
  const from = open > 0 ? dialogs(page).last() : region ? page.getByRole('region', { ...named(region) }).first() : page
  const opener = from.getByRole('button', named(button)).first()
  await opener.focus()
  await page.keyboard.press('Enter')
  if (item) {
    const chosen = page.getByRole('menuitem', named(item))
    // While the menu is still opening nothing in it takes the focus, and Enter would close it again.
    await expect(async () => {
      await chosen.focus()
      await expect(chosen).toBeFocused({ timeout: 500 })
    }).toPass()
    await page.keyboard.press('Enter')
  }
  await expect(dialogs(page)).toHaveCount(open + 1)
  await expect(dialogs(page).last()).toHaveCSS('opacity', '1')
  await still(page)
  return opener
}

/** Closes the topmost dialog with Escape; a list in it takes the first one. */
async function shut(page: Page): Promise<void> {
  const open = await dialogs(page).count()
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(dialogs(page)).toHaveCount(open - 1, { timeout: 1000 })
  }).toPass()
}

/** Checks a dialog: colours of both themes, 320 px, Tab staying inside, Escape, and the return of the focus. */
export async function expectDialog(page: Page, [state, ...presses]: Way): Promise<void> {
  let opener: Locator | undefined
  for (const one of presses) opener = await press(page, one)
  await expectAccessibleInBoth(page, state, OPENED)
  await expectNoStrayBars(page, state)
  await expectNarrow(page, state)
  await expectTabbed(page, dialogs(page).last(), state, true)
  await shut(page)
  await expect.soft(opener!, `${state}: the focus comes back`).toBeFocused()
  while ((await dialogs(page).count()) > 0) await shut(page)
}
