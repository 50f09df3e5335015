import { z } from 'zod'
import { read } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'
import { User } from './user.ts'

/** Which users a list shows; those who are not removed when left out. */
export const USER_FILTERS = ['active', 'waiting', 'disabled', 'unlinked', 'removed'] as const

const search = read({
  path: '/api/get-users',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Users by part of their name, username or email (`name` or `search_term`).',
  example: { page: 1, name: 'marsh' },
  input: listInput(['name', 'username', 'email', 'company', 'created_at'], {
    name: searchField,
    /** `waiting`: no password yet. `unlinked`: linked to no pharmacy. */
    show: z.enum(USER_FILTERS).nullish(),
    /** Of this company only. */
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

/** Users, as the calls that make or change some read them again. */
export const userReads = { search, info }
