import { z } from 'zod'
import { PublicLocation } from '../message/consent.ts'
import { read, write } from '../wire/call.ts'

/** The secret part of a link. */
const id = z.string().min(1).max(200)
/** A solved captcha as the widget gives it; checked on the server. */
const captcha = z.string().max(10_000).nullish()
const ID = 'the-secret-part-of-the-link'
const line = z.string().max(200).nullish()

/** The pages where a patient who was invited to a clinical trial can take part or withdraw. */
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
      /** The submission returns `version`, so that the consent recorded is for the form that was read. */
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
      /** A picture for `src`, stored by Pillar: `data:image/…`. Null for none; the page then shows the recruiter's name. */
      recruiter_logo: z.string().nullable(),
      /** The variant with fixed wording, which leads on to a survey. */
      recall: z.boolean(),
      /** What signing up means, next to the button. */
      note: z.string(),
      /** What the pharmacy knows is shown and locked. Null: the patient fills it in. */
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
      'Refers the patient to the recruiter, once per link. Details the pharmacy knows stay unchanged, whatever the request contains. A repeat after a lost answer, with the same attempt, gets the answer and refers nobody.',
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
      /** A numeric field sends a number; the server restores its leading zeros. */
      postcode: z.union([line, z.number().int().min(0).max(99_999)]),
      /** The version of the consent form the patient read. */
      form_version: z.number().int().nullish(),
      /** Chosen by the page: it gets its answer again if it sends the same number again within a day. */
      attempt: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .nullish(),
      captcha,
    }),
    output: z.object({
      submitted: z.literal(true),
      /** An earlier submission with the same `attempt` counts, and this one changed nothing. */
      earlier: z.boolean(),
      trial: z.string(),
      /** Where the browser goes next: the configured survey of a 'recall' trial; null to stay. */
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
      /** The recruiter has recorded that the patient joined the study, and only the recruiter can end that. */
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
      'Withdraws the patient: the recruiter no longer sees them, and their details there are erased. Safe to repeat; it also works without a captcha.',
    example: { id: ID },
    input: z.object({ id, captcha }),
    output: z.object({ withdrawn: z.literal(true) }),
  }),
}
