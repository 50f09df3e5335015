import * as z from 'zod/mini'
import { known } from '../../shared/search-field.ts'

const text = known(z.string().check(z.maxLength(200)))

/** What the address bar may hold: the dashboard, and the drug type it is about. */
export const boardSearch = z.object({ dashboard: text, about: text })
export type BoardSearch = z.output<typeof boardSearch>
