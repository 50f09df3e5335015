import { describe, expect, test } from 'vitest'
import { keepBearer } from './bearer.ts'

function setUp() {
  const world = { now: 1_000_000, refreshes: 0, fail: false, minted: [] as number[] }
  const keeper = keepBearer({
    now: () => world.now,
    refresh: async () => {
      world.refreshes++
      await Promise.resolve()
      if (world.fail) throw new Error('expired')
      return { access_token: `token ${world.refreshes}` }
    },
    minted: (_answer, at) => world.minted.push(at),
  })
  return { world, keeper }
}

describe('when a call refreshes first', () => {
  test('the first call does: there is no token yet', async () => {
    const { world, keeper } = setUp()
    expect(await keeper.bearer()).toBe('token 1')
    expect(world.minted).toEqual([1_000_000])
  })
  test('not within 5 minutes, but after more than 5 minutes', async () => {
    const { world, keeper } = setUp()
    await keeper.bearer()
    world.now += 300_000
    expect(await keeper.bearer()).toBe('token 1')
    world.now += 1
    expect(await keeper.bearer()).toBe('token 2')
  })
  test('any number of calls share one refresh', async () => {
    const { world, keeper } = setUp()
    const tokens = await Promise.all([keeper.bearer(), keeper.bearer(), keeper.renew(), keeper.bearer()])
    expect(new Set(tokens)).toEqual(new Set(['token 1']))
    expect(world.refreshes).toBe(1)
  })
  test('a failed refresh fails them all, and the next call tries again', async () => {
    const { world, keeper } = setUp()
    world.fail = true
    const results = await Promise.allSettled([keeper.bearer(), keeper.bearer()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(world.refreshes).toBe(1)
    world.fail = false
    expect(await keeper.bearer()).toBe('token 2')
  })
  test('no call gets a token that is not for this page, now or later', async () => {
    const keeper = keepBearer({
      now: () => 0,
      refresh: async () => ({ access_token: 'of somebody else' }),
      minted: () => {
        throw new Error('not for this page')
      },
    })
    const results = await Promise.allSettled([keeper.bearer(), keeper.bearer()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(keeper.bearer()).rejects.toThrow('not for this page')
  })
  test('nothing is kept after it forgets', async () => {
    const { world, keeper } = setUp()
    await keeper.bearer()
    keeper.forget()
    expect(await keeper.bearer()).toBe('token 2')
    expect(world.refreshes).toBe(2)
  })
  test('the window counts from before the request, never from after a slow answer', async () => {
    const world = { now: 0 }
    const minted: number[] = []
    const keeper = keepBearer({
      now: () => world.now,
      refresh: async () => {
        world.now += 20_000
        return { access_token: 't' }
      },
      minted: (_answer, at) => minted.push(at),
    })
    await keeper.bearer()
    expect(minted).toEqual([0])
    world.now = 300_001
    await keeper.bearer()
    expect(minted).toEqual([0, 300_001])
  })
})
