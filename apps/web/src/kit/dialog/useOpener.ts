import { useLayoutEffect, useRef } from 'react'
import { nearTo, type Place, placeOf } from './place.ts'

/** How many dialogs are open; kept by the stack. */
export const openDialogs = { count: 0 }

/** The last thing on the page itself, in no dialog, that had the focus when a dialog opened. */
let onPage: HTMLElement | null = null

const usable = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element !== document.body && element.isConnected

/** What a menu's item belongs to is what opened the menu: the item is gone once it is chosen. */
function openerOf(element: Element | null): Element | null {
  const target = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return target ? document.getElementById(target) : element
}

/** What opened the menu whose item was chosen last: the item is gone, and the focus with it, by the time its dialog opens. */
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
 * Gives focus back to whatever had it when a dialog opened, also to one that is made open or taken away while open. Where
 * that is gone by then, the control nearest to its place gets it (its row was removed), or what led to the first of the
 * dialogs (a button of the dialog this one took the place of), so that the focus is never lost; and nothing on the page
 * takes it from a dialog that has opened meanwhile.
 */
export function useOpener(opened: boolean): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => {
    if (!opened) return
    // Development runs effects twice: the give-back of the first run must not take the focus from the second.
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

/** A dialog that is uncovered again puts the focus on what asks for it first: on what opened the one above. */
function comeBackTo(opener: HTMLElement): void {
  const dialog = opener.closest('[role=dialog]')
  if (!dialog) onPage = opener
  for (const first of dialog?.querySelectorAll('[data-autofocus]') ?? []) first.removeAttribute('data-autofocus')
  if (dialog) opener.setAttribute('data-autofocus', 'true')
}

function giveBack(opener: Element | null, place: Place): void {
  const now = document.activeElement
  // Of two dialogs that close together the first has given it back: whoever has moved on since stays there.
  if (usable(now) && now !== opener && !now.closest('[role=dialog], [role=menu]')) return
  const near = () => nearTo(place) ?? (usable(onPage) ? onPage : document.getElementById('main'))
  const back = usable(opener) ? opener : near()
  if (openDialogs.count > 0 && !back?.closest('[role=dialog]')) return
  back?.focus({ preventScroll: true })
}
