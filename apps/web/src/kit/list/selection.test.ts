import { describe, expect, it } from 'vitest'
import { bulkActs } from './bulk.ts'
import { isRemoved } from './removed.ts'
import { chosenOf, isTicked, nothing, rowsNow, spanTo, type Ticked, tickRange, tickShown } from './selection.ts'

const rows = ['a', 'b', 'c', 'd', 'e']
const idOf = (row: string) => row
const ids = (ticked: Ticked<string>) => [...ticked.rows.keys()].sort()
const none: Ticked<string> = nothing()

it('ticks one row, and unticks it', () => {
  const one = tickRange(none, rows, idOf, 1, 1)
  expect(ids(one)).toEqual(['b'])
  expect(ids(tickRange(one, rows, idOf, 1, 1))).toEqual([])
})

it('ticks a range in both directions and keeps what was ticked elsewhere', () => {
  const other = tickRange(none, ['x'], idOf, 0, 0)
  expect(ids(tickRange(other, rows, idOf, 1, 3))).toEqual(['b', 'c', 'd', 'x'])
  expect(ids(tickRange(other, rows, idOf, 3, 1))).toEqual(['b', 'c', 'd', 'x'])
})

it('unticks a range when its last row was ticked', () => {
  const all = tickShown(none, rows, idOf)
  expect(ids(tickRange(all, rows, idOf, 1, 3))).toEqual(['a', 'e'])
})

it('the head ticks all visible rows, then none of them', () => {
  const all = tickShown(none, rows, idOf)
  expect(ids(all)).toEqual(rows)
  expect(all.all).toBe(false)
  expect(isTicked(all, 'on another page')).toBe(false)
  expect(ids(tickShown(all, rows, idOf))).toEqual([])
})

it('everything that matches is ticked without being listed; unticking one leaves the other visible rows ticked', () => {
  const all: Ticked<string> = { rows: new Map(), all: true }
  expect(isTicked(all, 'never shown')).toBe(true)
  const left = tickRange(all, rows, idOf, 2, 2)
  expect([left.all, ids(left)]).toEqual([false, ['a', 'b', 'd', 'e']])
  expect(tickShown(all, rows, idOf)).toEqual(nothing())
})

it('ticked rows have their present state in the list; those of other pages stay as they were ticked', () => {
  type Row = { id: string; version: number }
  const was: Ticked<Row> = {
    rows: new Map(['a', 'x'].map((id) => [id, { id, version: 1 }])),
    all: false,
  }
  const now = ['a', 'b'].map((id) => ({ id, version: 2 }))
  expect(rowsNow(was, now, ({ id }) => id)).toEqual([
    { id: 'a', version: 2 },
    { id: 'x', version: 1 },
  ])
})

it('a range begins at the row pressed last, wherever it is now; if that is not visible, the range is the single row', () => {
  expect(spanTo(rows, idOf, 'b', 3)).toBe(1)
  expect(spanTo(['z', ...rows], idOf, 'b', 3)).toBe(2)
  expect(spanTo(rows, idOf, 'x', 3)).toBe(3)
  expect(spanTo(rows, idOf, null, 3)).toBe(3)
})

it('a bulk call gets the ids, or the filter with the count that was shown', () => {
  expect(chosenOf('ids', { rows: ['a', 'b'], filter: null, count: 2 }, idOf)).toEqual({ ids: ['a', 'b'] })
  expect(chosenOf('ids', { rows: ['a'], filter: { name: 'x' }, count: 31 }, idOf)).toEqual({
    ...{ filter: { name: 'x' }, expected_count: 31 },
  })
})

it('deleted rows are selected one by one, or by the filter of the list that shows only deleted ones', () => {
  const [deleted, there] = [{ removed_at: '2026-11-20T00:00:00Z' }, { removed_at: null }]
  expect(isRemoved({ rows: [deleted], filter: null })).toBe(true)
  expect(isRemoved({ rows: [], filter: { removed: true } })).toBe(true)
  expect(isRemoved({ rows: [there], filter: null })).toBe(false)
  expect(isRemoved({ rows: [], filter: { removed: false } })).toBe(false)
  expect(isRemoved({ rows: [], filter: { name: 'flu' } })).toBe(false)
})

describe('the acts on selected rows', () => {
  const there = { name: 'Flu', removed_at: null }
  /** The acts of somebody who decides against deleting, and what they did. */
  function acts(filter: object | null) {
    const did: string[] = []
    const list = bulkActs({
      selected: { rows: [there], filter, count: 2, clear: () => did.push('cleared') },
      ...{ chosen: {}, noun: ['campaign', 'campaigns'], noEdit: 'No edits', noDelete: undefined },
      search: async () => [there, there],
      edit: ({ rows }) => did.push(`edits ${rows.length}`),
      remove: async () => null,
      restore: async () => null,
      deleted: (count) => `${count} campaigns deleted`,
    })
    return { list, did, run: (label: string) => list.find((act) => act.label === label)!.run() }
  }

  it('edit all that match a filter, not only those on the page', async () => {
    const [ticked, matching] = [acts(null), acts({ name: 'flu' })]
    await ticked.run('Edit')
    await matching.run('Edit')
    expect([ticked.did, matching.did]).toEqual([['edits 1'], ['edits 2']])
  })

  it('leave the selection alone if the person decides against deleting, and say separately why either is unavailable', async () => {
    const { list, did, run } = acts(null)
    await run('Delete')
    expect(did).toEqual([])
    expect(list.map(({ label, disabled }) => [label, disabled])).toEqual([
      ['Edit', 'No edits'],
      ['Delete', undefined],
    ])
  })
})
