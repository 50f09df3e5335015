import type { Page } from '@playwright/test'

/**
 * Treats a page as the translation of a browser does: each text, at once and when it changes, gives its place to a `font` element with the
 * translation. Here that is the text itself, so that tests still find it.
 */
export async function translate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const replace = (text: Text) => {
      const above = text.parentElement
      if (!text.data.trim() || !above || above.closest('script, style, noscript, textarea, [translate=no], font'))
        return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
    const translateAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      for (const text of texts) replace(text)
    }
    addEventListener('DOMContentLoaded', () => {
      translateAll(document.body)
      const watch = new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
          if (type === 'characterData') replace(target as Text)
          for (const node of addedNodes) node instanceof Text ? replace(node) : translateAll(node)
        }
      })
      watch.observe(document.body, { childList: true, characterData: true, subtree: true })
    })
  })
}
