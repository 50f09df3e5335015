import { describe, expect, it } from 'vitest'
import { mayChangeView, viewProblems } from './saved-view.ts'

describe('a saved view', () => {
  it('needs a name of at most 100 characters', () => {
    expect(viewProblems('Victoria, monthly')).toEqual([])
    expect(viewProblems('  ')).toEqual([{ field: 'name', words: 'enter a name' }])
    expect(viewProblems(` ${'x'.repeat(100)} `)).toEqual([])
    expect(viewProblems('x'.repeat(101))[0]!.words).toBe('enter a shorter name')
  })

  it('can be changed by its maker; a shared one also by colleagues once that person is gone', () => {
    const view = { mine: false, shared: true, makerGone: false }
    expect(mayChangeView({ ...view, mine: true, shared: false })).toBe(true)
    expect(mayChangeView(view)).toBe(false)
    expect(mayChangeView({ ...view, makerGone: true })).toBe(true)
    expect(mayChangeView({ ...view, shared: false, makerGone: true })).toBe(false)
  })
})
