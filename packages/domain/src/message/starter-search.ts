import type { ConsentKind } from '../consent/consent.ts'
import type { Country } from '../time/locale.ts'
import type { StarterDraft } from './draft-kind.ts'
import { STARTER_DRAFTS } from './starter-draft.ts'

const OTHER_WORDS = new Set(
  'the and for with our your that this have who are not from them they will can about'.split(' '),
)

const wordsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? [])
      .filter((word) => word.length > 2 || /\d/.test(word))
      .filter((word) => !OTHER_WORDS.has(word))
      // 'vaccines', 'vaccination' and 'vaccine' count as one word.
      .map((word) => word.slice(0, 6)),
  )

/**
 * Starter drafts of a type that fit the request, best first: those for the subcategory, then those sharing words with the request, or the general
 * ones if nothing fits. Never empty.
 */
export function startersFor(
  asked: { prompt: string; subcategory: string | null; country: Country; kind: ConsentKind },
  most = 8,
): StarterDraft[] {
  const wanted = wordsOf(`${asked.prompt} ${asked.subcategory ?? ''}`)
  const offered = STARTER_DRAFTS.filter(
    ({ country, kind }) => kind === asked.kind && (country === undefined || country === asked.country),
  )
  const scored = offered.map((one) => {
    const words = wordsOf(`${one.title} ${one.about.join(' ')} ${one.words}`)
    const shared = [...wanted].filter((word) => words.has(word)).length
    return { one, score: shared + (asked.subcategory !== null && one.about.includes(asked.subcategory) ? 5 : 0) }
  })
  const fitting = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  const general = scored.filter(({ one, score }) => score === 0 && one.about.length === 0)
  return [...fitting, ...general].slice(0, most).map(({ one }) => one)
}
