import type { ResultBasis } from '@pillar/contract/campaign/result'
import { reasonSentence, reasonWords } from '@pillar/domain/campaign/result-words'
import type { Country } from '@pillar/domain/time/locale'

interface NoResultProps {
  country: Country
  result: ResultBasis
}

/** In grey instead of a result: 'Too few to tell', with the number on request. */
export function NoResult({ country, result: { reason, n_messaged } }: NoResultProps) {
  const sentence = reasonSentence(country, reason, n_messaged)
  return (
    <span className="faint" title={sentence}>
      {reasonWords(reason)}
      <span className="sr">. {sentence}</span>
    </span>
  )
}
