import { isSmall } from '../display/useSmall.ts'

const CONTROLS =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex="0"]'
/** What brings up a phone's keyboard, over half of the dialog. */
const TYPED = 'input:not([type=checkbox], [type=radio], [type=file]), textarea'
/** What opens its list over the dialog as soon as it has the focus. */
const UNROLLS = 'input[aria-haspopup=listbox]'

/**
 * The focus of an opened dialog begins at the first thing in a part of it, where none of its fields asks for it; else it would be at the
 * ×. On a phone nothing that is typed into is first.
 */
export function startInside(part: HTMLElement | null): void {
  if (!part || part.querySelector('[data-autofocus]')) return
  const all = [...part.querySelectorAll<HTMLElement>(CONTROLS)].filter((one) => !isSmall() || !one.matches(TYPED))
  const first = all.find((one) => one.checkVisibility() && one.tabIndex >= 0)
  if (first && !first.matches(UNROLLS)) first.setAttribute('data-autofocus', 'true')
}
