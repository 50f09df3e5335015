/**
 * Puts a text on the clipboard; where a page has none, as on a plain http address, in the older way of the browser.
 * @throws Error where neither is allowed
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    return
  } catch {
    // No clipboard here, or it is refused: the older way may still be allowed.
  }
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr'
  const before = document.activeElement
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!copied) throw new Error('The browser does not allow it here.')
}
