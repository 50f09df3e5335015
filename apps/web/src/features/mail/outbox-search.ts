import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'

/** What the address bar holds of the Outbox: its page. */
export const outboxSearch = z.object({ page: listSearch.page })
