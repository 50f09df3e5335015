import { expect, test } from 'vitest'
import { RefusedError } from '../shared/refused.ts'
import { attemptsSoFar, isUnanswered, sendOnce } from './send-once.ts'

/** The keys of all attempts, and a way to finish the newest. */
function attempts() {
  const keys: string[] = []
  const ends: { answer: (value: string) => void; fail: (error: unknown) => void }[] = []
  const send = (key: string) =>
    new Promise<string>((answer, fail) => {
      keys.push(key)
      ends.push({ answer, fail })
    })
  return { keys, send, end: () => ends.at(-1)! }
}

test('a double click is sent once, and both calls get the answer', async () => {
  const { keys, send, end } = attempts()
  const both = [sendOnce('double', send), sendOnce('double', send)]
  end().answer('done')
  expect(await Promise.all(both)).toEqual(['done', 'done'])
  expect(keys).toHaveLength(1)
})

test('a request that was answered gets a new key when it is sent again', async () => {
  const { keys, send, end } = attempts()
  for (const answer of ['one', 'two']) {
    const asked = sendOnce('again', send)
    end().answer(answer)
    expect(await asked).toBe(answer)
  }
  expect(new Set(keys).size).toBe(2)
})

for (const [what, error] of [
  ['no answer', new RefusedError(0, '')],
  ['a server that went away', new RefusedError(502, '')],
  ['an answer that cannot be read', new RefusedError(200, '')],
  ['an error page that is not ours', new RefusedError(500, '')],
  ['a first attempt still under way', new RefusedError(409, '', { retryAfter: 1 })],
  ['a request that was given up', new DOMException('stopped', 'AbortError')],
] as const)
  test(`after ${what} it is sent again under its key`, async () => {
    const { keys, send, end } = attempts()
    for (let time = 0; time < 2; time++) {
      const asked = sendOnce(what, send)
      end().fail(error)
      await expect(asked).rejects.toThrow()
    }
    expect(new Set(keys).size).toBe(1)
  })

for (const status of [403, 409, 422, 500])
  test(`after a refusal with status ${status} it counts as another request`, async () => {
    const { keys, send, end } = attempts()
    for (let time = 0; time < 2; time++) {
      const asked = sendOnce(`refused ${status}`, send)
      end().fail(new RefusedError(status, 'no', { code: 'failed' }))
      await expect(asked).rejects.toThrow('no')
    }
    expect(new Set(keys).size).toBe(2)
  })

for (const status of [0, 200, 500, 502, 504])
  test(`without an answer of ours (${status}) the outcome is never reported as unchanged, nor as a refusal`, async () => {
    const { send, end } = attempts()
    const asked = sendOnce(`unknown ${status}`, send)
    end().fail(new RefusedError(status, 'The server could not answer. Nothing was changed.'))
    await expect(asked).rejects.toMatchObject({
      status,
      message: expect.stringContaining('it may or may not have been done'),
    })
  })

test('what our own server says about an attempt that failed is shown as it is', async () => {
  const { send, end } = attempts()
  const asked = sendOnce('away', send)
  end().fail(new RefusedError(503, 'The database does not answer. Nothing was changed.', { code: 'unavailable' }))
  await expect(asked).rejects.toThrow('The database does not answer. Nothing was changed.')
})

test('a changed write is another one, so whoever got no answer is told to change nothing', async () => {
  const { keys, send, end } = attempts()
  for (const goal of [5, 6]) {
    const asked = sendOnce(`campaign.create ${goal}`, send)
    end().fail(new RefusedError(0, ''))
    await expect(asked).rejects.toThrow('Try again without changing anything: it is never done twice.')
  }
  expect(new Set(keys).size).toBe(2)
})

test('an attempt without an answer is remembered until it gets one, for what it was about alone', async () => {
  const { send, end } = attempts()
  const write = () => sendOnce('event.edit /event/1 3 {"name":"A"}', send)
  const about = () => ['event.edit /event/1 3 ', 'event.edit /event/1 4 ', 'event.edit /event/2 3 '].map(isUnanswered)
  const lost = write()
  expect(about()).toEqual([false, false, false])
  end().fail(new RefusedError(0, ''))
  await expect(lost).rejects.toThrow()
  expect(about()).toEqual([true, false, false])
  const again = write()
  end().answer('done')
  await again
  expect(about()).toEqual([false, false, false])
})

test('a form opened after an attempt without an answer has not been sent itself', async () => {
  const { send, end } = attempts()
  const lost = async (name: string) => {
    const asked = sendOnce(`event.create /event/create  {"name":"${name}"}`, send)
    end().fail(new RefusedError(0, ''))
    await expect(asked).rejects.toThrow()
  }
  await lost('first')
  const opened = attemptsSoFar()
  const about = 'event.create /event/create  '
  expect([isUnanswered(about), isUnanswered(about, opened)]).toEqual([true, false])
  await lost('second')
  expect(isUnanswered(about, opened)).toBe(true)
})
