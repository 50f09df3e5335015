import { z } from 'zod'

/** Most ids one bulk call takes; more is selected by the filter. */
const MOST_IDS = 1000

/**
 * The targets of a bulk call: ids, or everything a filter matches ("Select All Matching"), counted on the server.
 * @param noun plural noun for the sentences
 * @param filter the filter fields of the list
 */
export function chosenFields<F extends z.ZodType>(noun: string, filter: F) {
  return {
    template_ids: z
      .array(z.uuid())
      .max(MOST_IDS, `Please select at most 1,000 ${noun}, or use Select All Matching.`)
      .nullish(),
    /** Instead of ids. */
    filter: filter.nullish(),
    /** With a filter: how many the screen showed; a 409 when it matches a different number now. */
    expected_count: z.number().int().min(0).nullish(),
  }
}

interface Chosen {
  template_ids?: readonly string[] | null | undefined
  filter?: object | null | undefined
}

/** Exactly one of the two, and not empty. */
export const isChosen = ({ template_ids, filter }: Chosen) => (filter ? !template_ids : (template_ids?.length ?? 0) > 0)

/** The subject of a bulk call: its ids or its filter. */
export const chosenSubject = ({ template_ids, filter }: Chosen): string | readonly string[] =>
  filter ? `matching ${JSON.stringify(filter)}` : (template_ids ?? [])
