import { contract } from '@pillar/contract'
import { useRead } from '../../api/client.ts'

const whole = { keepPrevious: true }

/** Sequence events whose name holds the typed text. */
export function useEventOptions(term: string) {
  const { data, isFetching, error } = useRead(contract.sequenceEvent.list, { page: 1, search_term: term }, whole)
  const rows = data?.sequence_events ?? []
  return { options: rows.map(({ event_id, name }) => ({ value: event_id, label: name })), isFetching, error }
}

/** Recommended templates whose name or text holds the typed text. */
export function useRecommendedTemplateOptions(term: string) {
  const { data, isFetching, error } = useRead(
    contract.templateRecommendation.list,
    { page: 1, search_term: term },
    whole,
  )
  const rows = data?.templates ?? []
  const options = rows.map(({ template_recommendation_id, name }) => ({
    value: template_recommendation_id,
    label: name,
  }))
  return { options, isFetching, error }
}

/** Recommended sequences whose title holds the typed text. */
export function useRecommendationOptions(term: string) {
  const { data, isFetching, error } = useRead(
    contract.sequenceRecommendation.list,
    { page: 1, search_term: term },
    whole,
  )
  const rows = data?.sequence_recommendations ?? []
  const options = rows.map(({ sequence_recommendation_id, title }) => ({
    value: sequence_recommendation_id,
    label: title,
  }))
  return { options, isFetching, error }
}

/** Templates of a company (its uuid) whose name or text holds the typed text. None until a company is known. */
export function useTemplateOptions(term: string, company: string) {
  const input = { page: 1, company, search_term: term, global_template: false }
  const known = company !== ''
  const { data, isFetching, error } = useRead(contract.templateAdmin.search, input, { ...whole, enabled: known })
  const rows = known ? (data?.results ?? []) : []
  return { options: rows.map(({ uuid, name }) => ({ value: uuid, label: name })), isFetching, error }
}
