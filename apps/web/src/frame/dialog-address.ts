import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import * as z from 'zod/mini'
import { known, textField } from '../shared/search-field.ts'

/** The screens' dialogs, as spelled in the address bar. */
export const DIALOG_NAMES = [
  'campaigns',
  'new-campaign',
  'edit-campaign',
  'templates',
  'new-template',
  'edit-template',
  'recommendations',
  'replies',
  'sms-cost',
  'ai-help',
  'sending-rules',
] as const
export type DialogName = (typeof DIALOG_NAMES)[number]

const text = textField(8000)
const id = known(z.uuid())

/** An open dialog in the address bar. */
export const dialogFields = {
  /** The open dialog, and its subject. */
  dialog: known(z.enum(DIALOG_NAMES)),
  campaign: id,
  template: id,
  recommendation: id,
  /** The pharmacy of a new campaign. */
  pharmacy: id,
  type: known(z.enum(['campaign', 'template'])),
  /** Filters of the list inside the dialog. */
  status: known(z.enum(['active', 'inactive'])),
  /** Includes replies already read. */
  show: known(z.enum(['all'])),
  search: text,
}
const dialogSchema = z.object(dialogFields)
/** The fields that belong to the open dialog and disappear with it. */
export type DialogSearch = z.output<typeof dialogSchema>

/** The address after a dialog opens (with its subject) or, without a name, closes; the screen behind stays unchanged. */
export function dialogSearch<Search extends object>(
  current: Search,
  name: DialogName | null,
  about: Omit<DialogSearch, 'dialog'> = {},
): Search & DialogSearch {
  const next: Record<string, unknown> = { ...(current as Record<string, unknown>) }
  for (const field of Object.keys(dialogFields)) delete next[field]
  return (name === null ? next : { ...next, dialog: name, ...about }) as Search & DialogSearch
}

/** The props of every dialog. It draws its own frame, and is open as long as it is mounted. */
export interface DialogProps {
  /** The dialog's subject, from the address bar. */
  search: DialogSearch
  close: () => void
  /** Goes to another dialog, or to another item of the same one. */
  open: OpenDialog
}
export type OpenDialog = (name: DialogName, about?: Omit<DialogSearch, 'dialog'>) => void

/** Opens and closes dialogs through the address bar, so that links can open them and Back closes them. */
export function useDialogs(): { open: OpenDialog; close: () => void } {
  const navigate = useNavigate()
  const go = useCallback(
    (name: DialogName | null, about?: Omit<DialogSearch, 'dialog'>) => {
      const make = (current: object) => dialogSearch(current, name, about)
      void navigate({ to: '.', search: make as never, resetScroll: false })
    },
    [navigate],
  )
  const open = useCallback<OpenDialog>((name, about) => go(name, about), [go])
  const close = useCallback(() => go(null), [go])
  return { open, close }
}

/** Changes what an open dialog shows (search, status, selection) in the address bar, without an entry for Back. */
export function useDialogFilters(name: DialogName, search: DialogSearch) {
  const navigate = useNavigate()
  return useCallback(
    (change: Omit<DialogSearch, 'dialog'>) => {
      const { dialog: _, ...now } = search
      const make = (current: object) => dialogSearch(current, name, { ...now, ...change })
      void navigate({ to: '.', search: make as never, replace: true, resetScroll: false })
    },
    [navigate, name, search],
  )
}
