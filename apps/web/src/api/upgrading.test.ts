import { type Call, contract } from '@pillar/contract'
import { SCREENS_HEADER } from '@pillar/contract/wire/screens'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { mayRetry, retryDelay, send } from './client.ts'
import { checkAnswer } from './upgrading.ts'

afterEach(() => vi.unstubAllGlobals())

const INFO = {
  ...{ product_name: 'Pillar', country: 'AU', support_phone: '1', support_email: 'a@b.example', support_website: 'b' },
  ...{ outbox: false, sends_email: true, demo: false },
}

/** The result of a read by a page of the version `new`, from a server of this version. */
function asking(version: string | null, answer: object, status = 200): Promise<unknown> {
  const headers: Record<string, string> = version === null ? {} : { [SCREENS_HEADER]: `index-${version}.js` }
  vi.stubGlobal('fetch', async () => Response.json(answer, { status, headers }))
  vi.stubGlobal('document', { querySelector: () => ({ src: 'https://pillar.example/assets/index-new.js' }) })
  return send(contract.portal.info, {}).catch((thrown: unknown) => thrown)
}

const UPGRADING = {
  status: 503,
  message: 'Pillar is being upgraded. Please try again in a moment, or reload the page.',
}
const { demo: _, ...older } = INFO

test('a server of another version may answer as long as the screen understands it', async () => {
  expect(await asking('old', { ...INFO, more: 1 })).toEqual(INFO)
})

test('a field that may be missing from an older answer has its default when the screen gets it', () => {
  const output = z.object({ pharmacies: z.array(z.object({ blank_fields: z.array(z.string()).default([]) })) })
  const call = { kind: 'read', output } as unknown as Call
  expect(checkAnswer(call, { pharmacies: [{}] })).toEqual({ pharmacies: [{ blank_fields: [] }] })
})

test('an answer without a field of the new screen says that Pillar is being upgraded, and is read again', async () => {
  const refused = await asking('old', older)
  expect(refused).toMatchObject(UPGRADING)
  expect([mayRetry(0, refused), retryDelay(0, refused)]).toEqual([true, 3000])
})

test('so does a call the other server does not know', async () => {
  const unknown = { code: 'not_found', message: 'There is no such call.' }
  expect(await asking('old', unknown, 404)).toMatchObject(UPGRADING)
  expect(await asking('new', unknown, 404)).toMatchObject({ status: 404 })
  expect(await asking('old', { code: 'not_found', message: 'This campaign was deleted.' }, 404)).toMatchObject({
    status: 404,
  })
})

test('a write that was done is never reported as an upgrade, which would have it done again', async () => {
  await asking('old', { words: 'of the older version' })
  expect(await send(contract.session.logout, {})).toEqual({ words: 'of the older version' })
})

test('answers of the same version, or of a server without screens, are not checked', async () => {
  expect(await asking('new', older)).toEqual(older)
  expect(await asking(null, older)).toEqual(older)
})
