import { useMemo, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { useSession } from '../../../session/session.ts'

/** The spacing of the table's rows and columns. */
const DENSITIES = ['roomy', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

const Taste = z.object({
  density: z.catch(z.enum(DENSITIES), 'roomy'),
  /** Whether best, worst and the calculator are shown beside the table. */
  panel: z.catch(z.boolean(), true),
  /** The order of the columns, by group; columns it does not name follow in the server's order. */
  order: z.catch(z.record(z.string(), z.array(z.string())), {}),
})
/** A person's preferences for the table: kept in this browser under their username, and in no link. */
export type Taste = z.output<typeof Taste>

const PLAIN: Taste = { density: 'roomy', panel: true, order: {} }
const listeners = new Set<() => void>()
const keyOf = (username: string) => `pillar_table_${username}`

function readText(username: string): string | null {
  try {
    return localStorage.getItem(keyOf(username))
  } catch {
    return null
  }
}

/** The stored preferences; the plain table if there are none, or none that can be read. */
export function tasteOf(text: string | null): Taste {
  if (text === null) return PLAIN
  try {
    return z.safeParse(Taste, JSON.parse(text)).data ?? PLAIN
  } catch {
    return PLAIN
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** This person's preferences, and a way to change some of them. */
export function useTaste(): [Taste, (part: Partial<Taste>) => void] {
  const { username } = useSession()
  const text = useSyncExternalStore(subscribe, () => readText(username))
  const taste = useMemo(() => tasteOf(text), [text])
  const change = (part: Partial<Taste>) => {
    try {
      localStorage.setItem(keyOf(username), JSON.stringify({ ...taste, ...part }))
    } catch {
      // Storage is blocked: the table stays unchanged.
    }
    for (const listener of listeners) listener()
  }
  return [taste, change]
}

/** Fields in a person's order: those the order names, then the rest in their present order. */
export function ordered(fields: readonly string[], order: readonly string[] = []): string[] {
  const there = new Set(fields)
  const first = order.filter((field) => there.has(field))
  const placed = new Set(first)
  return [...first, ...fields.filter((field) => !placed.has(field))]
}

/** The list with one of its members moved by some places, as far as possible. */
export function shifted(list: readonly string[], one: string, by: -1 | 1): string[] {
  const at = list.indexOf(one)
  const to = at + by
  if (at < 0 || to < 0 || to >= list.length) return [...list]
  const next = [...list]
  next.splice(at, 1)
  next.splice(to, 0, one)
  return next
}
