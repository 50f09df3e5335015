/**
 * Copies a text to the clipboard; if the page has no clipboard access, as on a plain http address, in the browser's older way.
 * @throws Error if neither is allowed
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    return
  } catch {
    // No clipboard here, or access refused: the older way may still work.
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
