import { Link } from 'lucide-react'
import { copyText } from '../../shared/copy-text.ts'
import { toast, toastFailure } from '../display/toast.tsx'
import type { Act } from './acts.tsx'
import type { List } from './useList.ts'

/** The parts of an address kept in the link to one row: they identify the list. */
const PLACE = ['tab', 'list']

/** The address that shows a single row of a list, opened if it can open: the list's search for the row's id. */
export function rowAddress(page: string, id: string): string {
  const url = new URL(page)
  const kept = [...url.searchParams].filter(([name]) => PLACE.includes(name))
  url.search = new URLSearchParams([...kept, ['find', id]]).toString()
  return url.toString()
}

/** The address of something inside a row of a list: the list's address, the row's id, and what is open in it. */
export function placeAddress(page: string, id: string, within: Readonly<Record<string, string>>): string {
  const url = new URL(rowAddress(page, id))
  for (const [name, value] of Object.entries(within)) url.searchParams.set(name, value)
  return url.toString()
}

/** Copies the address of a row, to paste into a chat or a ticket. */
export const linkTo = <Row>(list: Pick<List<Row, never>, 'idOf'>, row: Row): Act => ({
  label: 'Copy link',
  icon: Link,
  run: () => copyLink(rowAddress(location.href, list.idOf(row))),
})

/** Copies the address of something inside a row. */
export const linkInside = (id: string, within: Readonly<Record<string, string>>): Act => ({
  label: 'Copy link',
  icon: Link,
  run: () => copyLink(placeAddress(location.href, id, within)),
})

/** Copies an address, and shows whether that worked. */
export async function copyLink(address: string): Promise<void> {
  await copyText(address).then(
    () => toast('Link copied'),
    () => toastFailure('Link could not be copied: the browser does not allow it here.'),
  )
}
