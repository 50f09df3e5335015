import { z } from 'zod'
import { read } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'
import { User } from './user.ts'

/** Which users a list shows; when left out, all who have not been removed. */
export const USER_FILTERS = ['active', 'waiting', 'disabled', 'unlinked', 'removed'] as const

const search = read({
  path: '/api/get-users',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Users, searched by name, username or email (`name` or `search_term`).',
  example: { page: 1, name: 'marsh' },
  input: listInput(['name', 'username', 'email', 'company', 'created_at'], {
    name: searchField,
    /** `waiting`: no password yet. `unlinked`: linked to no pharmacy. */
    show: z.enum(USER_FILTERS).nullish(),
    /** Only users of this company. */
    company_id: z.uuid().nullish(),
  }),
  output: listOf(User),
})

const info = read({
  path: '/api/user/{uuid}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One user.',
  example: { uuid: '01980000-0000-7000-8000-000000000005' },
  input: z.object({ uuid: z.uuid() }),
  output: User,
})

/** Reads of users, which calls that create or change users make stale. */
export const userReads = { search, info }
