import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlaces, PlacesResting } from './places.ts'

const asked: { url: string; headers: IncomingHttpHeaders; body: string }[] = []
let answer: { status: number; body: unknown } = { status: 200, body: {} }
const google = createServer(async (request, reply) => {
  let body = ''
  for await (const part of request) body += part
  asked.push({ url: request.url ?? '', headers: request.headers, body })
  reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
})
beforeAll(() => new Promise<void>((done) => void google.listen(0, '127.0.0.1', done)))
afterAll(() => void google.close())

const places = (now?: () => number) =>
  openPlaces(
    {
      GOOGLE_PLACES_KEY: 'key-of-the-house',
      GOOGLE_PLACES_URL: `http://127.0.0.1:${(google.address() as AddressInfo).port}`,
    },
    now,
  )!
const part = (type: string, longText: string, shortText = longText) => ({ types: [type], longText, shortText })
const PARTS = [
  ...[
    part('street_number', '12'),
    part('subpremise', '3'),
    part('route', 'Sturt Street'),
    part('locality', 'Ballarat'),
  ],
  ...[part('administrative_area_level_1', 'Victoria', 'VIC'), part('postal_code', '3350')],
]

it('is off without a key', () => {
  expect(openPlaces({ GOOGLE_PLACES_KEY: undefined, GOOGLE_PLACES_URL: 'http://127.0.0.1:1' })).toBeNull()
})

it('asks for addresses in Australia, with the key in a header and the session of the look-up', async () => {
  const text = { text: '12 Sturt Street, Ballarat' }
  answer = {
    status: 200,
    body: { suggestions: [{ placePrediction: { placeId: 'abc', text } }, { queryPrediction: {} }] },
  }
  expect(await places().find('12 sturt', 'session-1')).toEqual([
    { place_id: 'abc', label: '12 Sturt Street, Ballarat' },
  ])
  const { url, headers, body } = asked.at(-1)!
  expect([url, headers['x-goog-api-key']]).toEqual(['/v1/places:autocomplete', 'key-of-the-house'])
  expect(JSON.parse(body)).toMatchObject({ input: '12 sturt', includedRegionCodes: ['au'], sessionToken: 'session-1' })
})

it('gives the parts of an address, and nothing for one abroad or without a suburb', async () => {
  answer = { status: 200, body: { addressComponents: [...PARTS, part('country', 'Australia', 'AU')] } }
  expect(await places().open('abc', 's 1')).toEqual({
    ...{ street_address: '3/12 Sturt Street', town: 'Ballarat', region: 'VIC', postcode: '3350' },
  })
  expect(asked.at(-1)!.url).toBe('/v1/places/abc?sessionToken=s%201')
  answer = { status: 200, body: { addressComponents: [...PARTS, part('country', 'New Zealand', 'NZ')] } }
  expect(await places().open('abc', null)).toBeNull()
  answer = { status: 200, body: { addressComponents: [part('country', 'Australia', 'AU')] } }
  expect(await places().open('abc', null)).toBeNull()
})

it('fails if the service refuses or answers something else', async () => {
  answer = { status: 403, body: { error: 'no' } }
  await expect(places().find('12 sturt', null)).rejects.toThrow('it answered with status 403')
  answer = { status: 200, body: { addressComponents: 'none' } }
  await expect(places().open('abc', null)).rejects.toThrow()
})

describe('a service that fails', () => {
  const look = (from: ReturnType<typeof places>) => from.find('12 sturt', null)
  let clock = 0
  const failing = async () => {
    clock = 0
    const one = places(() => clock)
    answer = { status: 503, body: {} }
    await expect(look(one)).rejects.toThrow('status 503')
    await expect(look(one)).rejects.toThrow('status 503')
    return one
  }

  it('is left alone for half a minute after two failures in a row, then tried by one look-up', async () => {
    const one = await failing()
    const before = asked.length
    await expect(look(one)).rejects.toThrow(PlacesResting)
    await expect(one.open('abc', null)).rejects.toThrow(PlacesResting)
    expect(asked.length).toBe(before)
    clock = 30_000
    const both = await Promise.allSettled([look(one), look(one)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(asked.length).toBe(before + 1)
    clock = 60_000
    answer = { status: 200, body: {} }
    expect(await look(one)).toEqual([])
    expect(await look(one)).toEqual([])
  })

  it('is asked again at once after a single failure', async () => {
    const one = places()
    answer = { status: 503, body: {} }
    await expect(look(one)).rejects.toThrow('status 503')
    answer = { status: 200, body: {} }
    expect(await look(one)).toEqual([])
    answer = { status: 503, body: {} }
    await expect(look(one)).rejects.toThrow('status 503')
    await expect(look(one)).rejects.toThrow('status 503')
  })

  it('is not turned off by look-ups that make no sense to it', async () => {
    const one = places()
    answer = { status: 400, body: {} }
    for (let at = 0; at < 4; at++) await expect(one.open('nonsense', null)).rejects.toThrow('status 400')
    answer = { status: 200, body: {} }
    expect(await look(one)).toEqual([])
  })
})
