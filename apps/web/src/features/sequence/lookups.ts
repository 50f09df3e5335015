import { contract } from '@pillar/contract'
import { useRead } from '../../api/client.ts'

const whole = { keepPrevious: true }

/** Sequence events whose name contains the typed text. */
export function useEventOptions(term: string) {
  const read = useRead(contract.sequenceEvent.list, { page: 1, search_term: term }, whole)
  const rows = read.data?.sequence_events ?? []
  return { options: rows.map(({ event_id, name }) => ({ value: event_id, label: name })), read }
}

/** Recommended templates whose name or text contains the typed text. */
export function useRecommendedTemplateOptions(term: string) {
  const read = useRead(contract.templateRecommendation.list, { page: 1, search_term: term }, whole)
  const rows = read.data?.templates ?? []
  const options = rows.map(({ template_recommendation_id, name }) => ({
    value: template_recommendation_id,
    label: name,
  }))
  return { options, read }
}

/** Recommended sequences whose title contains the typed text. */
export function useRecommendationOptions(term: string) {
  const read = useRead(contract.sequenceRecommendation.list, { page: 1, search_term: term }, whole)
  const rows = read.data?.sequence_recommendations ?? []
  const options = rows.map(({ sequence_recommendation_id, title }) => ({
    value: sequence_recommendation_id,
    label: title,
  }))
  return { options, read }
}

/** Templates of a company (its uuid) whose name or text contains the typed text. None until a company is known. */
export function useTemplateOptions(term: string, company: string) {
  const input = { page: 1, company, search_term: term, global_template: false }
  const known = company !== ''
  const read = useRead(contract.templateAdmin.search, input, { ...whole, enabled: known })
  const rows = known ? (read.data?.results ?? []) : []
  return { options: rows.map(({ uuid, name }) => ({ value: uuid, label: name })), read }
}
