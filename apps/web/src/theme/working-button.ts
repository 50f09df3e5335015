import { type ButtonHTMLAttributes, createElement, type RefAttributes } from 'react'

type Given = ButtonHTMLAttributes<HTMLButtonElement> &
  RefAttributes<HTMLButtonElement> & { 'data-loading'?: boolean; 'data-disabled'?: boolean }

/**
 * The element of Mantine's buttons. Mantine disables a button while it works, and a disabled button loses the focus: a keyboard user would start
 * again at the top of the page. This one keeps the focus and ignores presses.
 */
export function workingButton(given: Given) {
  if (!given['data-loading'] || given['data-disabled'])
    return createElement('button', { ...given, type: given.type ?? 'button' })
  const { disabled: _, onClick: __, ...rest } = given
  return createElement('button', { ...rest, type: 'button', 'aria-disabled': true })
}
