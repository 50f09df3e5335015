import { z } from 'zod'
import { PublicLocation } from '../message/consent.ts'
import { read, write } from '../wire/call.ts'

/** The secret part of a link. */
const id = z.string().min(1).max(200)
/** A solved captcha as the widget gives it; checked on the server. */
const captcha = z.string().max(10_000).nullish()
const ID = 'the-secret-part-of-the-link'
const line = z.string().max(200).nullish()

/** The pages of a patient who was invited to a clinical trial: to take part, and to withdraw. */
export const trialConsent = {
  form: read({
    path: '/api/consent/{id}',
    needs: 'public',
    about:
      'What the page of a clinical trial shows; viewing it changes nothing. Unknown, ended and used links look alike.',
    example: { id: ID },
    input: z.object({ id }),
    output: z.object({
      /** The name of the trial. */
      trial: z.string(),
      consent_id: z.string(),
      location: PublicLocation,
      /** `version` goes back with the submission: what was agreed to is what was read. */
      consent_form: z.object({
        version: z.number(),
        form_title: z.string(),
        intro: z.string(),
        purpose_heading: z.string(),
        purpose: z.string(),
        criteria_heading: z.string(),
        criteria: z.string(),
      }),
      recruiter: z.string(),
      provider: z.string(),
      recruiter_website: z.string(),
      recruiter_privacy_policy: z.string(),
      /** A picture for `src`, held by Pillar: `data:image/…`; null for none, and the recruiter's name stands there. */
      recruiter_logo: z.string().nullable(),
      /** The variant with fixed words, which leads on to a survey. */
      recall: z.boolean(),
      /** What signing up means, next to the button. */
      note: z.string(),
      /** What the pharmacy knows: shown and locked. Null: the patient fills it in. */
      first_name: z.string().nullable(),
      last_name: z.string().nullable(),
      phone_number: z.string().nullable(),
      email: z.string().nullable(),
      postcode: z.string().nullable(),
      product_name: z.string(),
    }),
  }),
  submit: write({
    path: '/api/consent/{id}/submit',
    needs: 'public',
    about:
      'Refers the patient to the recruiter, once per link. Details the pharmacy knows stay as they are, whatever is sent.',
    example: {
      id: ID,
      first_name: 'Kim',
      last_name: 'Vale',
      email: 'kim@example.com',
      phone_number: '0491 570 156',
      postcode: '2000',
    },
    input: z.object({
      id,
      first_name: line,
      last_name: line,
      email: line,
      phone_number: line,
      /** A numeric field sends a number; its leading zeros are put back. */
      postcode: z.union([line, z.number().int().min(0).max(99_999)]),
      /** The version of the consent form that was read. */
      form_version: z.number().int().nullish(),
      captcha,
    }),
    output: z.object({
      submitted: z.literal(true),
      trial: z.string(),
      /** Where the browser goes now: the survey of a 'recall' trial, from the configuration; null to stay. */
      redirect_url: z.string().nullable(),
      /** The link to withdraw, for the page to show: `/clinicaltrial/{withdraw_id}/withdraw`. */
      withdraw_id: z.string(),
      withdraw_url: z.string(),
    }),
  }),
  withdrawal: read({
    path: '/api/consent/{id}/withdrawal',
    needs: 'public',
    about: 'What the page to withdraw from a clinical trial shows; viewing it changes nothing.',
    example: { id: ID },
    input: z.object({ id }),
    output: z.object({
      trial: z.string(),
      recruiter: z.string(),
      recruiter_phone: z.string(),
      /** The recruiter has recorded that the patient joined the study itself, which only they can end. */
      enrolled: z.boolean(),
      withdrawn: z.boolean(),
      location: PublicLocation,
      product_name: z.string(),
    }),
  }),
  withdraw: write({
    path: '/api/consent/{id}/withdraw',
    needs: 'public',
    about:
      'Withdraws the patient: the recruiter no longer sees them, and their details there are erased. Safe to repeat; a missing captcha does not bar it.',
    example: { id: ID },
    input: z.object({ id, captcha }),
    output: z.object({ withdrawn: z.literal(true) }),
  }),
}
