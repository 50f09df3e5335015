import { useLayoutEffect, useRef } from 'react'
import { nearTo, type Place, placeOf } from './place.ts'

/** The number of open dialogs, maintained by the stack. */
export const openDialogs = { count: 0 }

/** The last focused element on the page itself, outside dialogs, when a dialog opened. */
let onPage: HTMLElement | null = null

const usable = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element !== document.body && element.isConnected

/** A menu item's opener is the button that opened the menu, because the item disappears once it is selected. */
function openerOf(element: Element | null): Element | null {
  const target = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return target ? document.getElementById(target) : element
}

/** The opener of the menu whose item was last selected: when its dialog opens, the item has disappeared together with the focus. */
let chosen: Element | null = null
document.addEventListener(
  'click',
  ({ target }) => {
    if (target instanceof Element && target.closest('[role=menuitem]')) chosen = openerOf(target)
  },
  { capture: true },
)
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest('[role=menu], [role=dialog]')) chosen = null
})

/**
 * Returns the focus to the element that had it when a dialog opened, even for a dialog that is mounted open or removed while open. If that element
 * has disappeared (its row was removed), the control nearest to its place gets the focus; or, for a dialog that replaced another, the opener of
 * the first one. The focus is therefore never lost, and nothing on the page takes it from a dialog that has opened in the meantime.
 */
export function useOpener(opened: boolean): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => {
    if (!opened) return
    // In development, effects run twice: the first run must not return the focus and take it from the second.
    clearTimeout(timer.current)
    const focused = openerOf(document.activeElement)
    const opener = usable(focused) ? focused : chosen
    if (usable(opener)) comeBackTo(opener)
    const place = usable(opener) ? placeOf(opener) : []
    return () => {
      timer.current = setTimeout(() => giveBack(opener, place))
    }
  }, [opened])
}

/** A dialog that is uncovered again focuses what requests it first: the opener of the dialog above. */
function comeBackTo(opener: HTMLElement): void {
  const dialog = opener.closest('[role=dialog]')
  if (!dialog) onPage = opener
  for (const first of dialog?.querySelectorAll('[data-autofocus]') ?? []) first.removeAttribute('data-autofocus')
  if (dialog) opener.setAttribute('data-autofocus', 'true')
}

function giveBack(opener: Element | null, place: Place): void {
  const now = document.activeElement
  // If two dialogs close together, the first one returns the focus; a person who has moved on since stays there.
  if (usable(now) && now !== opener && !now.closest('[role=dialog], [role=menu]')) return
  const near = () => nearTo(place) ?? (usable(onPage) ? onPage : document.getElementById('main'))
  const back = usable(opener) ? opener : near()
  if (openDialogs.count > 0 && !back?.closest('[role=dialog]')) return
  back?.focus({ preventScroll: true })
}
