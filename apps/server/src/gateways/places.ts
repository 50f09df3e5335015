import type { FoundAddress } from '@pillar/contract/company/signup'
import { z } from 'zod'
import type { Env } from '../env.ts'
import { shortAnswer } from './http-call.ts'

/** An outside service that looks up Australian addresses. */
export interface Places {
  /** Addresses that begin with `term`; `session` identifies one look-up from its first letter to the choice. @throws Error */
  find: (term: string, session: string | null) => Promise<{ place_id: string; label: string }[]>
  /** The parts of an address; null if it is not in Australia or has no suburb. @throws Error */
  open: (placeId: string, session: string | null) => Promise<FoundAddress | null>
}

/** Somebody is waiting for the answer. */
const LIMIT_MS = 4_000
const MOST = 5
/** After this many failures in a row it is left alone for a while, so that nobody waits at every letter they type. */
const FAILURES = 2
const REST_MS = 30_000
/** Errors about the request rather than the service: a nonsense request must not turn it off for others. */
const ABOUT_THE_REQUEST = [400, 404]

/** It failed a moment ago and was not called. */
export class PlacesResting extends Error {
  constructor() {
    super('it failed a moment ago and was not asked again')
  }
}

const Suggestions = z.object({
  suggestions: z
    .array(
      z.object({
        placePrediction: z.object({ placeId: z.string(), text: z.object({ text: z.string() }) }).optional(),
      }),
    )
    .default([]),
})
const Details = z.object({
  addressComponents: z.array(z.object({ longText: z.string(), shortText: z.string(), types: z.array(z.string()) })),
})

/** The service works, but cannot handle this request. */
class BadRequest extends Error {}

type PlacesEnv = Pick<Env, 'GOOGLE_PLACES_KEY' | 'GOOGLE_PLACES_URL'>

/**
 * Google Places (New) if GOOGLE_PLACES_KEY is set; otherwise null. The key stays on the server. After two failures in a row it is left
 * alone for 30 seconds; then one look-up tries it.
 * @param now milliseconds of a clock that only goes forward
 */
export function openPlaces(env: PlacesEnv, now: () => number = () => performance.now()): Places | null {
  const key = env.GOOGLE_PLACES_KEY
  if (!key) return null
  let failures = 0
  let restsUntil = 0
  const failed = () => {
    failures++
    if (failures >= FAILURES) restsUntil = now() + REST_MS
  }
  const ask = async (path: string, fields: string, body?: object): Promise<unknown> => {
    if (failures >= FAILURES) {
      if (now() < restsUntil) throw new PlacesResting()
      // One request tries; the others wait for its outcome.
      restsUntil = now() + REST_MS
    }
    try {
      const found = await answerTo(path, fields, body)
      failures = 0
      return found
    } catch (error) {
      if (error instanceof BadRequest) failures = 0
      else failed()
      throw error
    }
  }
  const answerTo = async (path: string, fields: string, body?: object): Promise<unknown> => {
    const answer = await shortAnswer(new URL(path, env.GOOGLE_PLACES_URL), {
      headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': fields, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    if (answer.ok) return answer.json()
    await answer.body?.cancel()
    const words = `it answered with status ${answer.status}`
    throw ABOUT_THE_REQUEST.includes(answer.status) ? new BadRequest(words) : new Error(words)
  }
  return {
    async find(term, session) {
      const found = await ask(
        '/v1/places:autocomplete',
        'suggestions.placePrediction.placeId,suggestions.placePrediction.text.text',
        {
          input: term,
          includedRegionCodes: ['au'],
          languageCode: 'en-AU',
          ...(session ? { sessionToken: session } : {}),
        },
      )
      return Suggestions.parse(found)
        .suggestions.flatMap(({ placePrediction: one }) =>
          one ? [{ place_id: one.placeId, label: one.text.text }] : [],
        )
        .slice(0, MOST)
    },
    async open(placeId, session) {
      const token = session ? `?sessionToken=${encodeURIComponent(session)}` : ''
      const found = await ask(`/v1/places/${encodeURIComponent(placeId)}${token}`, 'addressComponents')
      return addressOf(Details.parse(found).addressComponents)
    },
  }
}

function addressOf(parts: z.output<typeof Details>['addressComponents']): FoundAddress | null {
  const part = (type: string, length: 'longText' | 'shortText' = 'longText') =>
    parts.find(({ types }) => types.includes(type))?.[length] ?? ''
  const town = part('locality') || part('sublocality')
  if (part('country', 'shortText') !== 'AU' || town === '') return null
  const unit = part('subpremise')
  const number = [unit, part('street_number')].filter(Boolean).join('/')
  return {
    street_address: [number, part('route')].filter(Boolean).join(' '),
    town,
    region: part('administrative_area_level_1', 'shortText').toUpperCase(),
    postcode: part('postal_code'),
  }
}
