import { isSmall } from '../../display/useSmall.ts'

const CONTROLS =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex="0"]'
/** Fields that bring up a phone's keyboard, which covers half of the dialog. */
const TYPED = 'input:not([type=checkbox], [type=radio], [type=file]), textarea'
/** Fields that open their list over the dialog as soon as they are focused. */
const UNROLLS = 'input[aria-haspopup=listbox]'

/**
 * Focuses the first control in a part of an opened dialog, unless one of its fields requests the focus; otherwise the × would get it. On a phone,
 * fields for typing are skipped.
 */
export function startInside(part: HTMLElement | null): void {
  if (!part || part.querySelector('[data-autofocus]')) return
  const all = [...part.querySelectorAll<HTMLElement>(CONTROLS)].filter((one) => !isSmall() || !one.matches(TYPED))
  const first = all.find((one) => one.getClientRects().length > 0 && one.tabIndex >= 0)
  if (first && !first.matches(UNROLLS)) first.setAttribute('data-autofocus', 'true')
}
