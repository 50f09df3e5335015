import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'

/** The Outbox in the address bar: its page. */
export const outboxSearch = z.object({ page: listSearch.page })
