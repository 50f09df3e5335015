import { z } from 'zod'
import { company } from '../company/company-admin.ts'
import { read, write } from '../wire/call.ts'
import { userReads } from './user-read.ts'

const id = z.uuid()
const USER = '01980000-0000-7000-8000-000000000005'
const LOCATION = '01980000-0000-7000-8000-000000000001'
const COMPANY = '01980000-0000-7000-8000-000000000002'
const onPlatform = { needs: 'sr_login', reach: 'platform' } as const
const pair = z.object({ login_id: id, location_id: id })
const both = { login_id: USER, location_id: LOCATION }
/** The most links or letters one call makes. */
const MOST = 500

/** A pharmacy a user is linked to. */
export const UserLocation = z.object({
  uuid: z.uuid(),
  name: z.string(),
  street_address: z.string().nullable(),
  town: z.string().nullable(),
  region: z.string().nullable(),
  postcode: z.string().nullable(),
  company: z.object({ uuid: z.uuid(), name: z.string() }),
  /** Whether the user owns the pharmacy. */
  owner: z.boolean(),
})
export type UserLocation = z.output<typeof UserLocation>

/** A welcome letter to one user about one pharmacy: sent, or still to be sent. */
export const OnboardingNotification = z.object({
  login_uuid: z.uuid(),
  location_uuid: z.uuid(),
  login_name: z.string(),
  email: z.string(),
  location_name: z.string(),
  /** Where it went, or would go now. */
  destination: z.string(),
  /** When it was last sent; null if never. */
  created_at: z.iso.datetime().nullable(),
  /** Whether the screen preselects it: it has not been sent yet. */
  selected: z.boolean(),
})
export type OnboardingNotification = z.output<typeof OnboardingNotification>

const locations = read({
  path: '/api/user/{id}/locations',
  ...onPlatform,
  about: 'The pharmacies a user is linked to, by company and name.',
  example: { id: USER },
  input: z.object({ id }),
  output: z.object({ data: z.array(UserLocation) }),
})

const notifications = read({
  path: '/api/company/{id}/strongpro-onboarding-notifications',
  ...onPlatform,
  about: 'Welcome letters of a company: one for each link of a user to a pharmacy, sent or not.',
  example: { id: COMPANY },
  input: z.object({ id }),
  output: z.object({ data: z.array(OnboardingNotification) }),
})

const stale = () => [locations, notifications, company.loginLocations, userReads.search]
const linked = z.object({ message: z.string() })

/** Links of users to pharmacies in the support console, and the welcome letters about them. */
export const userLink = {
  locations,
  notifications,
  link: write({
    path: '/api/location-link-login',
    ...onPlatform,
    stepUp: 'save',
    subject: ({ login_id, location_id }) => [login_id, location_id],
    refreshes: stale,
    about: 'Links a user to a pharmacy. Linking again changes nothing.',
    example: both,
    input: pair,
    output: linked,
  }),
  unlink: write({
    path: '/api/location-unlink-login',
    ...onPlatform,
    stepUp: 'delete',
    subject: ({ login_id, location_id }) => [login_id, location_id],
    refreshes: stale,
    about: 'Unlinks a user from a pharmacy.',
    example: both,
    input: pair,
    output: linked,
  }),
  linkMany: write({
    path: '/api/location-link-logins',
    ...onPlatform,
    stepUp: 'save',
    subject: ({ login_ids, location_ids }) => [...login_ids, ...location_ids],
    refreshes: stale,
    about: 'Links several users to several pharmacies. Each link that fails is named; the others are kept.',
    example: { login_ids: [USER], location_ids: [LOCATION] },
    input: z
      .object({
        login_ids: z.array(id).min(1, 'Please select at least one user.').max(MOST),
        location_ids: z.array(id).min(1, 'Please select at least one location.').max(MOST),
      })
      .refine(({ login_ids, location_ids }) => login_ids.length * location_ids.length <= MOST, {
        message: 'Please link at most 500 pairs of user and location at once.',
        path: ['location_ids'],
      }),
    output: z.object({
      linked: z.number(),
      failed: z.array(
        z.object({ login_id: id, location_id: id, user: z.string(), location: z.string(), reason: z.string() }),
      ),
      message: z.string(),
    }),
  }),
  sync: write({
    path: '/api/user/{userId}/sync-company-locations',
    ...onPlatform,
    stepUp: 'save',
    refreshes: stale,
    about:
      "Makes these pharmacies the user's only links within one company. Links in other companies stay. With `linked_before`, it never undoes what somebody else has changed meanwhile.",
    example: { userId: USER, company_id: COMPANY, location_ids: [LOCATION] },
    input: z.object({
      userId: id,
      company_id: id,
      location_ids: z.array(id).max(1000),
      /** The links that the list was made from; 409 if they are others by now. */
      linked_before: z.array(id).max(1000).optional(),
    }),
    output: z.object({ linked: z.number(), unlinked: z.number() }),
  }),
  sendWelcome: write({
    path: '/api/send-strongpro-welcome-email',
    ...onPlatform,
    stepUp: 'save',
    subject: ({ login_locations }) => login_locations.flatMap(({ login_id, location_id }) => [login_id, location_id]),
    refreshes: () => [notifications],
    about:
      'Mails each selected user one welcome letter that names their selected pharmacies. Users without a password get a one-time link to choose one.',
    example: { login_locations: [both] },
    input: z.object({
      login_locations: z.array(pair).min(1, 'Please select at least one notification.').max(MOST),
    }),
    output: z.object({ letters: z.number(), notifications: z.number(), message: z.string() }),
  }),
}
