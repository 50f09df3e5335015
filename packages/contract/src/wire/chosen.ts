import { z } from 'zod'
import { instantInput } from './dates.ts'

/** The most ids one bulk call takes; larger selections use the filter. */
const MOST_IDS = 1000

/** The fields that hold ids, as the specification names them. */
type IdsField = 'template_ids' | 'campaign_ids'

/**
 * The targets of a bulk call: ids, or everything a filter matches ("Select All Matching"), counted on the server.
 * @param noun plural noun for the sentences
 * @param filter the filter fields of the list
 * @param field the field that holds the ids
 */
export function chosenFields<F extends z.ZodType, K extends IdsField = 'template_ids'>(
  noun: string,
  filter: F,
  field: K = 'template_ids' as K,
) {
  const ids = z
    .array(z.uuid())
    .max(MOST_IDS, `Please select at most 1,000 ${noun}, or use Select All Matching.`)
    .nullish()
  return {
    ...({ [field]: ids } as Record<K, typeof ids>),
    /** Instead of ids. */
    filter: filter.nullish(),
    /** With a filter: the number the screen showed; a 409 if it now matches a different number. */
    expected_count: z.number().int().min(0).nullish(),
  }
}

type Chosen = Partial<Record<IdsField, readonly string[] | null | undefined>> & {
  filter?: object | null | undefined
  removed_at?: string | null | undefined
}

const idsOf = ({ template_ids, campaign_ids }: Chosen) => template_ids ?? campaign_ids

/** Exactly one of the two, and not empty; a restore has one of the three. */
export const isChosen = (chosen: Chosen) => {
  if (chosen.filter || chosen.removed_at) return !idsOf(chosen) && !(chosen.filter && chosen.removed_at)
  return (idsOf(chosen)?.length ?? 0) > 0
}

/** A third choice for a bulk restore, instead of ids and filter: everything that one call deleted. */
export const undone = {
  /** The `removed_at` that the deleting call returned. */
  removed_at: instantInput.nullish(),
}

/** A bulk restore's answer: what could not be restored, and why. */
export const restoredAnswer = z.object({
  restored: z.number(),
  not_restored: z.array(z.object({ name: z.string(), reason: z.string() })),
})

/** The subject of a bulk call: its ids or its filter. */
export const chosenSubject = (chosen: Chosen): string | readonly string[] =>
  chosen.filter
    ? `matching ${JSON.stringify(chosen.filter)}`
    : chosen.removed_at
      ? `deleted at ${chosen.removed_at}`
      : (idsOf(chosen) ?? [])
