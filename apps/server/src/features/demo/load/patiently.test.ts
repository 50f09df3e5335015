import { describe, expect, it, vi } from 'vitest'
import { DatabaseAway } from '../../../db/away.ts'
import { patiently } from './patiently.ts'

const WAITS = [1, 1]

function world() {
  const stop = new AbortController()
  const warn = vi.fn()
  return {
    stop,
    warn,
    services: { stopping: stop.signal, log: { warn } } as unknown as Parameters<typeof patiently>[0],
  }
}

describe('making the demo network', () => {
  it('is resumed while the database is away, with a warning each time', async () => {
    const { services, warn } = world()
    let tries = 0
    const made = await patiently(
      services,
      async () => {
        if (++tries < 3) throw new DatabaseAway('gone')
        return 'network'
      },
      WAITS,
    )
    expect(made).toBe('network')
    expect(warn).toHaveBeenCalledTimes(2)
  })

  it('fails when the database stays away, and at once for another reason', async () => {
    const { services } = world()
    const away = vi.fn(() => Promise.reject(new DatabaseAway('gone')))
    await expect(patiently(services, away, WAITS)).rejects.toThrow('gone')
    expect(away).toHaveBeenCalledTimes(3)
    const full = vi.fn(() => Promise.reject(new Error('no space left')))
    await expect(patiently(services, full, WAITS)).rejects.toThrow('no space left')
    expect(full).toHaveBeenCalledTimes(1)
  })

  it('is no failed start when Pillar is stopped meanwhile', async () => {
    const { services, stop } = world()
    const closed = async () => {
      stop.abort()
      throw new Error('driver has already been destroyed')
    }
    expect(await patiently(services, closed, WAITS)).toBeNull()
  })
})
