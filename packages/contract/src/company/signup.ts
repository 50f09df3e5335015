import { LOGIN_NAME_LIMIT, PERSON_NAME_LIMIT } from '@pillar/domain/access/user'
import { PHARMACY_LIMITS } from '@pillar/domain/company/pharmacy'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { needed } from '../wire/needed.ts'
import { postcodeInput } from './postcode.ts'

const text = (most: number) => z.string().max(most).default('')
const signup_token = z.string().max(200)
const session = z
  .string()
  .max(64)
  .regex(/^[\w-]+$/)
  .nullish()
const done = z.object({ message: z.string() })

/** An address found by the look-up; the street is empty if the look-up only knows places. */
export const FoundAddress = z.object({
  street_address: z.string(),
  town: z.string(),
  region: z.string(),
  postcode: z.string(),
})
export type FoundAddress = z.output<typeof FoundAddress>

const link = z.object({ name: z.string(), url: z.url() })

/** The calls of the 60 Day Dispense Calculator's public page. */
export const signup = {
  page: read({
    path: '/api/signup/page',
    needs: 'public',
    about:
      'What the sign-up page shows about this installation: names, contacts, accreditations, products, and where addresses come from.',
    example: {},
    input: z.object({}),
    output: z.object({
      product_name: z.string(),
      support_phone: z.string(),
      support_email: z.string(),
      /** As this installation's operator states them; none by default. */
      accreditations: z.array(link),
      products: z.array(link),
      places: z.enum(['gazetteer', 'google']),
      /** Who supplies the addresses, and who receives the typed text. */
      places_credit: z.string(),
    }),
  }),
  submit: write({
    path: '/api/signup',
    needs: 'public',
    about:
      'Signs up for the 60 Day Dispense Calculator. The answer is the same whether or not the address or username is known; an email explains the next step.',
    example: {
      ...{ username: 'jo.marsh', email: 'jo@saltbush.example', first_name: 'Jo', last_name: 'Marsh' },
      ...{ job_title: 'Pharmacist', phone: '0491 570 156', pharmacy_name: 'Saltbush Pharmacy' },
      ...{ pharmacy_phone: '03 5550 1234', sources: ['fred'], street_address: '12 Sturt Street', town: 'Ballarat' },
      ...{ region: 'VIC', postcode: '3350', privacy_statement: true, email_marketing: false, captcha: '' },
    },
    input: z.object({
      username: text(LOGIN_NAME_LIMIT),
      email: text(LOGIN_NAME_LIMIT),
      first_name: text(PERSON_NAME_LIMIT),
      last_name: text(PERSON_NAME_LIMIT),
      job_title: text(100),
      phone: text(PHARMACY_LIMITS.phone),
      pharmacy_name: text(PHARMACY_LIMITS.name),
      pharmacy_phone: text(PHARMACY_LIMITS.phone),
      /** Dispensing software, by key or name. */
      sources: z
        .array(z.union([z.string().max(60), z.object({ name: z.string().max(60) }).transform(({ name }) => name)]))
        .max(8)
        .default([]),
      street_address: text(PHARMACY_LIMITS.line),
      /** The suburb; `city` is used if it is empty. */
      town: text(PHARMACY_LIMITS.line),
      city: text(PHARMACY_LIMITS.line),
      region: text(PHARMACY_LIMITS.region),
      postcode: postcodeInput.default(''),
      country_name: z.string().max(60).default('Australia'),
      privacy_statement: z.boolean().default(false),
      email_marketing: z.boolean().default(true),
      captcha: z.string().max(10_000).nullish(),
    }),
    output: done,
  }),
  link: read({
    path: '/api/signup/check-link',
    needs: 'public',
    about: 'Details of a mailed sign-up link, without using it.',
    example: { signup_token: 'Yv3oZr0mE5vJq2mWc8XlT6pNnS1dKfB4uHgA7iRjQeo' },
    input: z.object({ signup_token }),
    output: z.object({ pharmacy_name: z.string(), username: z.string() }),
  }),
  confirm: write({
    path: '/api/signup/confirm',
    needs: 'public',
    about: 'Confirms the email address with the mailed link, once, and sets the password of the future account.',
    example: {
      signup_token: 'the-secret-part-of-the-link',
      password: 'seven magpies at Hobart',
      password_confirmation: 'seven magpies at Hobart',
    },
    input: z.object({
      signup_token,
      password: z.string(needed('Please enter a password.')).max(1000),
      password_confirmation: z.string(needed('Please enter the password again.')).max(1000),
    }),
    output: done,
  }),
  places: read({
    path: '/api/signup/places',
    needs: 'public',
    about:
      'Addresses in Australia that start with the typed text: from Google Places if set up, else suburbs and postcodes.',
    example: { search_term: 'balla' },
    input: z.object({
      search_term: z.string().max(200).default(''),
      /** Identifies one look-up, from the first letter to the choice. */
      session,
    }),
    output: z.object({
      source: z.enum(['gazetteer', 'google']),
      /** Who supplies the data and who receives the typed text, for display beside the field. */
      credit: z.string(),
      data: z.array(
        z.object({
          label: z.string(),
          /** Pass it to `place` for the address; null if the answer already has it. */
          place_id: z.string().nullable(),
          address: FoundAddress.nullable(),
        }),
      ),
    }),
  }),
  place: read({
    path: '/api/signup/place',
    needs: 'public',
    about: 'The address behind one of the places found.',
    example: { place_id: 'ChIJgf0RD69C1moR4OeMIXVWBAU' },
    input: z.object({
      place_id: z
        .string()
        .max(300)
        .regex(/^[\w-]+$/),
      session,
    }),
    output: FoundAddress,
  }),
}
