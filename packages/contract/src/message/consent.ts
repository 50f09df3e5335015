import { CHANNELS } from '@pillar/domain/consent/consent'
import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'

/** The secret part of a mailed or texted link. */
const token = z.string().min(1).max(200)

/** A pharmacy as patients know it. */
export const PublicLocation = z.object({
  name: z.string(),
  phone_number: z.string().nullable(),
  street_address: z.string().nullable(),
  town: z.string().nullable(),
  region: z.string().nullable(),
  postcode: z.string().nullable(),
  country: z.enum(COUNTRIES),
  /** The privacy policy of its country. */
  privacy_url: z.string(),
})

const answer = z.boolean().nullable()

/** A solved captcha as the widget gives it; checked on the server. */
const captcha = z.string().max(10_000).nullish()

/** A challenge of ALTCHA, version 2. */
const Challenge = z.object({
  parameters: z.object({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number().int(),
    keyLength: z.number().int(),
    keyPrefix: z.string(),
    keySignature: z.string(),
    expiresAt: z.number().int(),
  }),
  signature: z.string(),
})
export type Challenge = z.output<typeof Challenge>

export const consent = {
  challenge: read({
    path: '/api/captcha-challenge',
    needs: 'public',
    about: 'A captcha challenge for the public pages, or the vendor whose widget to show.',
    example: {},
    input: z.object({}),
    output: z.object({
      vendor: z.enum(['altcha', 'hcaptcha', 'turnstile', 'none']),
      site_key: z.string().nullable(),
      /** The self-hosted challenge in the widget's format; null with a vendor's captcha, or with none. */
      challenge: Challenge.nullable(),
    }),
  }),
  form: read({
    path: '/api/communication-consent/{id}',
    needs: 'public',
    about: 'What the consent page shows; viewing it changes nothing.',
    example: { id: 'the-secret-part-of-the-link' },
    input: z.object({ id: token }),
    output: z.object({
      first_name: z.string().nullable(),
      last_name: z.string().nullable(),
      email: z.string().nullable(),
      phone_number: z.string().nullable(),
      postcode: z.string().nullable(),
      consent_id: z.string(),
      location: PublicLocation,
      product_name: z.string(),
      marketing_consent: z.boolean(),
      health_outreach_consent: z.boolean(),
    }),
  }),
  submit: write({
    path: '/api/communication-consent/{id}/submit',
    needs: 'public',
    about: 'Records the patient’s choices, once per link.',
    example: {
      id: 'the-secret-part-of-the-link',
      health_outreach_sms_consent: true,
      health_outreach_email_consent: true,
      marketing_sms_consent: false,
      marketing_email_consent: null,
    },
    input: z.object({
      id: token,
      health_outreach_sms_consent: answer,
      health_outreach_email_consent: answer,
      marketing_sms_consent: answer,
      marketing_email_consent: answer,
      captcha,
    }),
    output: z.object({ submitted: z.literal(true) }),
  }),
  unsubscribeForm: read({
    path: '/api/validate-unsubscribe/{id}',
    needs: 'public',
    about: 'What the unsubscribe page shows.',
    example: { id: 'the-secret-part-of-the-link' },
    input: z.object({ id: token }),
    output: z.object({
      notification_id: z.string(),
      /** A link in an email stops email; a link in a text stops texts. */
      channel: z.enum(CHANNELS),
      opt_out_status: z.boolean(),
      location: PublicLocation,
      product_name: z.string(),
    }),
  }),
  unsubscribe: write({
    path: '/api/unsubscribe/{id}',
    needs: 'public',
    about:
      'Stops all email from the pharmacy to this address, or all its texts to this number, at once. Safe to repeat.',
    example: { id: 'the-secret-part-of-the-link' },
    input: z.object({ id: token, captcha }),
    output: z.object({ unsubscribed: z.literal(true) }),
  }),
  download: write({
    path: '/api/download-file',
    needs: 'public',
    answer: 'csv',
    about: 'The file behind a mailed link; works once, within 24 hours.',
    example: { token: 'the-secret-part-of-the-link' },
    input: z.object({ token }),
    output: z.object({ filename: z.string(), text: z.string() }),
  }),
}
