import * as z from 'zod/mini'
import { known } from '../../shared/search-field.ts'

const text = known(z.string().check(z.maxLength(200)))

/** What the address bar may contain: the dashboard, and its drug type. */
export const boardSearch = z.object({ dashboard: text, about: text })
export type BoardSearch = z.output<typeof boardSearch>
