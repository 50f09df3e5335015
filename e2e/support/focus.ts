import { expect, type Locator, type Page } from '@playwright/test'

/**
 * Describes the focused element, and whether its focus is visible: a ring on it, on an overlay, or on the surrounding box. A list that names its
 * active part must show that part.
 */
async function focused(page: Page): Promise<{ what: string; seen: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body) return { what: 'nothing', seen: false }
    const what = `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)}`
    const ringed = (style: CSSStyleDeclaration) =>
      (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2) ||
      /0px 0px 0px [2-9]px/.test(style.boxShadow)
    const shown = (one: Element) => {
      const { width, height } = one.getBoundingClientRect()
      return width > 0 && height > 0 && getComputedStyle(one).visibility === 'visible'
    }
    const active = element.getAttribute('aria-activedescendant')
    const part = active ? document.getElementById(active) : null
    const around = [element, part, element.parentElement, element.closest('[class*=box], [class*=moleculeHead]')]
    const seen =
      shown(element) &&
      (around.some((one) => one && ringed(getComputedStyle(one))) ||
        ringed(getComputedStyle(element, '::after')) ||
        // A box or a switch is drawn beside the input itself.
        [...(element.parentElement?.children ?? [])].some((one) => ringed(getComputedStyle(one))))
    return { what, seen }
  })
}

/** Whether Tab now leaves the page: its last control has the focus, and the browser's own come next. */
async function atEnd(page: Page, key: string): Promise<boolean> {
  return page.evaluate((backwards) => {
    const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex]')].filter(
      (one) =>
        one instanceof HTMLElement &&
        one.tabIndex >= 0 &&
        !one.matches(':disabled') &&
        one.checkVisibility({ visibilityProperty: true }),
    )
    return document.activeElement === controls.at(backwards ? 0 : -1)
  }, key.startsWith('Shift'))
}

/**
 * Presses Tab until something has the focus. Along the way the focus is never lost and always visible; only between the end of the page and its
 * beginning does the browser have it. Search results that arrive in the meantime may appear behind the focus.
 */
export async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    const leaves = await atEnd(page, key)
    await page.keyboard.press(key)
    const { what, seen } = await focused(page)
    if (leaves && what === 'nothing') continue
    expect.soft(seen, `the focus is seen on: ${what}`).toBe(true)
  }
  await expect(wanted).toBeFocused({ timeout: 100 })
}

/** Moves to an element by Tab and presses a key on it. */
export async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press(key)
}
