import * as z from 'zod/mini'
import { known, pageField, textField } from '../../shared/search-field.ts'

const text = textField(200)

/** Any list's state in the address bar; a route's schema adds its filters. */
export const listSearch = {
  page: pageField,
  rows: known(z.number().check(z.int(), z.minimum(1), z.maximum(200))),
  sort: text,
  order: known(z.enum(['asc', 'desc'])),
  find: text,
}
const whole = z.object(listSearch)
export type ListSearch = z.output<typeof whole>
