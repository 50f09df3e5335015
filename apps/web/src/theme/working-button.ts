import { type ButtonHTMLAttributes, createElement, type RefAttributes } from 'react'

type Given = ButtonHTMLAttributes<HTMLButtonElement> &
  RefAttributes<HTMLButtonElement> & { 'data-loading'?: boolean; 'data-disabled'?: boolean }

/**
 * The element of Mantine's buttons. While a button works Mantine disables it, and a disabled button loses the focus: who
 * pressed it by keyboard would start again at the top of the page. Here it keeps the focus and only does nothing.
 */
export function workingButton(given: Given) {
  if (!given['data-loading'] || given['data-disabled'])
    return createElement('button', { ...given, type: given.type ?? 'button' })
  const { disabled: _, onClick: __, ...rest } = given
  return createElement('button', { ...rest, type: 'button', 'aria-disabled': true })
}
