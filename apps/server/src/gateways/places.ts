import type { FoundAddress } from '@pillar/contract/company/signup'
import { z } from 'zod'
import type { Env } from '../env.ts'

/** An outside look-up of addresses in Australia. */
export interface Places {
  /** Addresses that begin as `term` does; `session` names one look-up from its first letter to the choice. @throws Error */
  find: (term: string, session: string | null) => Promise<{ place_id: string; label: string }[]>
  /** The parts of an address; null when it is not in Australia or has no suburb. @throws Error */
  open: (placeId: string, session: string | null) => Promise<FoundAddress | null>
}

/** Somebody waits for the answer. */
const LIMIT_MS = 4_000
const MOST = 5

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

/** Google Places (New) where GOOGLE_PLACES_KEY is set; null without a key. The key stays on the server. */
export function openPlaces(env: Pick<Env, 'GOOGLE_PLACES_KEY' | 'GOOGLE_PLACES_URL'>): Places | null {
  const key = env.GOOGLE_PLACES_KEY
  if (!key) return null
  const ask = async (path: string, fields: string, body?: object): Promise<unknown> => {
    const answer = await fetch(new URL(path, env.GOOGLE_PLACES_URL), {
      headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': fields, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    if (answer.ok) return answer.json()
    await answer.body?.cancel()
    throw new Error(`it answered with status ${answer.status}`)
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
