import { CHANNELS, CONSENT_KINDS } from '@pillar/domain/consent/consent'
import { z } from 'zod'
import { campaignReads } from './campaign-read.ts'
import { BODY_LIMIT, templateReads } from './template-read.ts'
import { write } from './wire/call.ts'

export { Template, TemplateRecommendation } from './template-read.ts'

/** What a template is made of, as it is sent. Rules and wording: `templateProblem` of the domain. */
const templateFields = {
  name: z.string().max(200).default(''),
  body: z.string().max(BODY_LIMIT).default(''),
  subject: z.string().max(300).nullish(),
  sms_template: z.boolean().default(false),
  email_template: z.boolean().default(false),
  /** What the message is for; decides which consent it needs. */
  message_kind: z.enum(CONSENT_KINDS).default('health_outreach'),
}

const { list, info, recommendations } = templateReads
const stale = [list, info, recommendations, campaignReads.list, campaignReads.info]
const id = z.uuid()
const NO_BODY = 'Please enter a message body.'

export const template = {
  ...templateReads,
  create: write({
    path: '/api/template/create/enterprise',
    needs: 'data_analytics',
    stepUp: 'save',
    refreshes: () => stale,
    about: 'Makes a template, also from a recommendation.',
    example: { name: 'Flu clinic', body: 'Hi {First Name}, {Pharmacy Name} has flu vaccine.', sms_template: true },
    input: z.object({
      ...templateFields,
      active: z.boolean().default(true),
      template_recommendation_id: z.uuid().nullish(),
    }),
    output: z.object({ id: z.uuid() }),
  }),
  edit: write({
    path: '/api/template/{id}/edit/enterprise',
    needs: 'data_analytics',
    stepUp: 'save',
    refreshes: () => stale,
    about: 'Changes a template. Messages already written keep their text.',
    example: {
      id: '01980000-0000-7000-8000-00000000000a',
      name: 'Flu clinic',
      body: 'Hi {First Name}, {Pharmacy Name} has flu vaccine.',
      sms_template: true,
      version: 1,
    },
    input: z.object({
      id,
      template_id: z.uuid().nullish(),
      ...templateFields,
      active: z.boolean().nullish(),
      template_recommendation_id: z.uuid().nullish(),
      /** The version the editor started from; a 409 says that somebody else saved meanwhile. */
      version: z.number().int().nullish(),
    }),
    output: z.object({ id: z.uuid(), version: z.number() }),
  }),
  activate: write({
    path: '/api/template/{id}/activate/enterprise',
    needs: 'data_analytics',
    stepUp: ({ active }) => (active ? 'activate' : 'deactivate'),
    refreshes: () => stale,
    about: 'Activates or deactivates a template.',
    example: { id: '01980000-0000-7000-8000-00000000000a', active: false },
    input: z.object({ id, active: z.boolean() }),
    output: z.object({ active: z.boolean() }),
  }),
  remove: write({
    path: '/api/template/{id}/delete/enterprise',
    needs: 'data_analytics',
    stepUp: 'delete',
    refreshes: () => stale,
    about: 'Deletes a template. What was sent with it stays in the records.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  test: write({
    path: '/api/template/test/enterprise',
    needs: 'data_analytics',
    about: 'Sends a message to oneself: e-mail to the login’s address, a text to a mobile. Ten an hour.',
    example: {
      pharmacy_id: '01980000-0000-7000-8000-00000000000a',
      channel: 'sms',
      body: 'Hi from {Pharmacy Name}.',
      mobile: '0400 000 000',
    },
    input: z.object({
      pharmacy_id: z.uuid(),
      channel: z.enum(CHANNELS),
      body: z.string(NO_BODY).min(1, NO_BODY).max(BODY_LIMIT),
      subject: z.string().max(300).nullish(),
      /** For a text only. */
      mobile: z.string().max(40).nullish(),
    }),
    output: z.object({ sent_to: z.string(), simulated: z.boolean() }),
  }),
  draft: write({
    path: '/api/template/chatgpt',
    needs: 'data_analytics',
    waits: true,
    about: 'Text for a message: from the configured AI service, or from the library of starter drafts.',
    example: { prompt: 'Invite patients to a flu clinic', communication_type: 'sms' },
    input: z.object({
      prompt: z.string().max(2_000).default(''),
      category_name: z.string().max(100).nullish(),
      subcategory_name: z.string().max(200).nullish(),
      communication_type: z.enum(['sms', 'email', 'both']).default('sms'),
      /** Which consent the message needs: starter drafts are of that kind. */
      message_kind: z.enum(CONSENT_KINDS).default('health_outreach'),
    }),
    grows: z.object({ template_text: z.string() }),
    output: z.object({
      template_text: z.string(),
      /** Where the text comes from: never call a starter draft AI. */
      source: z.enum(['ai', 'starter']),
      /** Further starter drafts that fit; empty for AI. */
      drafts: z.array(z.object({ title: z.string(), text: z.string() })),
    }),
  }),
}
