import { USER_STATES } from '@pillar/domain/access/user'
import { SEXES } from '@pillar/domain/dispensing/category'
import { z } from 'zod'

/** A login and the person who signs in with it. */
export const User = z.object({
  uuid: z.uuid(),
  login_id: z.uuid(),
  /** The username. */
  name: z.string(),
  email: z.string(),
  /** May open the head office's pages. */
  enterprise_login: z.boolean(),
  guild_login: z.boolean(),
  clinical_trials_login: z.boolean(),
  /** Works for support; set on the command line only. */
  sr_login: z.boolean(),
  person: z.object({
    personal_information: z.object({
      first_name: z.string(),
      middle_name: z.string().nullable(),
      last_name: z.string(),
      preferred_name: z.string().nullable(),
      dob: z.iso.date().nullable(),
      sex: z.enum(SEXES).nullable(),
    }),
    created_at: z.iso.datetime(),
  }),
  recruiter: z
    .object({
      recruiter_provider_id: z.uuid(),
      recruiter_provider_name: z.string(),
      recruiter_or_provider: z.string(),
    })
    .nullable(),
  company: z.object({ uuid: z.uuid(), name: z.string() }),
  state: z.enum(USER_STATES),
  invited_at: z.iso.datetime().nullable(),
  removed_at: z.iso.datetime().nullable(),
  version: z.number(),
})
export type User = z.output<typeof User>
