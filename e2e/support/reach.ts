import type { Page } from '@playwright/test'

/** Elements beyond the edge of the window that no scrolling brings into view. */
export const beyond = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    for (const element of document.querySelectorAll<HTMLElement>('button, a, input, select, h1, h2, h3')) {
      const box = element.getBoundingClientRect()
      if (box.width < 2 || box.height < 2 || getComputedStyle(element).visibility === 'hidden') continue
      if (element.closest('#rail, .sr, .skip')) continue
      if ((box.right > window.innerWidth + 1 || box.left < -1) && !scrolls(element.parentElement)) {
        found.push(`${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40)}`)
      }
    }
    if (document.documentElement.scrollWidth > window.innerWidth) found.push('the page scrolls sideways')
    return found
  })

/** Words that their box cuts off, horizontally or vertically; an ellipsis at the end of a line is intended. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>()
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (words.nextNode()) {
      const text = words.currentNode.textContent?.trim() ?? ''
      const parent = words.currentNode.parentElement
      if (text === '' || !parent || parent.closest('#rail, .sr, .skip, [aria-hidden=true], script, style, noscript'))
        continue
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      range.selectNodeContents(words.currentNode)
      const at = range.getBoundingClientRect()
      if (at.width === 0) continue
      for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box)
        // A scrolling box shows the rest; text deliberately clipped to a point is for screen readers.
        if (/auto|scroll/.test(`${style.overflowX} ${style.overflowY}`) || style.clipPath !== 'none') break
        if (!/hidden|clip/.test(`${style.overflowX} ${style.overflowY}`)) continue
        const edge = box.getBoundingClientRect()
        const meant = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
        if (at.top < edge.top - 2 || (at.bottom > edge.bottom + 2 && !meant)) found.add(`${text.slice(0, 40)} (height)`)
        if (!meant && (at.left < edge.left - 1 || at.right > edge.right + 1)) found.add(`${text.slice(0, 40)} (width)`)
        break
      }
    }
    return [...found]
  })

/** Boxes that scroll by a few pixels though they show everything: where scrollbars take room, as on Windows, each has one. */
export const strayBars = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const stray = (overflow: string, by: number) => /auto|scroll/.test(overflow) && by > 0 && by <= 4
    return [...document.querySelectorAll('body *')].flatMap((box) => {
      const { overflowX, overflowY } = getComputedStyle(box)
      const found =
        stray(overflowY, box.scrollHeight - box.clientHeight) || stray(overflowX, box.scrollWidth - box.clientWidth)
      return found ? [`${box.tagName} ${box.getAttribute('aria-label') ?? box.className}`] : []
    })
  })
