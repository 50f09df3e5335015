import { CHANNELS, CONSENT_KINDS } from '@pillar/domain/consent/consent'
import { z } from 'zod'
import { campaignApprovalReads } from '../campaign/campaign-approval.ts'
import { campaignReads } from '../campaign/campaign-read.ts'
import { write } from '../wire/call.ts'
import { needed } from '../wire/needed.ts'
import { BODY_LIMIT, templateReads } from './template-read.ts'

export { Template, TemplateRecommendation } from './template-read.ts'

/** The content of a template as a client sends it. Rules and wording: `templateProblem` in the domain. */
const templateFields = {
  name: z.string().max(200).default(''),
  body: z.string().max(BODY_LIMIT).default(''),
  subject: z.string().max(300).nullish(),
  sms_template: z.boolean().default(false),
  email_template: z.boolean().default(false),
  /** The purpose of the message, which decides the consent it needs. Left out: unchanged; a new one takes its recommendation's, else outreach. */
  message_kind: z.enum(CONSENT_KINDS).nullish(),
}

const { list, info, recommendations } = templateReads
const { state, waiting } = campaignApprovalReads
const stale = [
  ...[list, info, recommendations, state, waiting],
  ...[campaignReads.list, campaignReads.info, campaignReads.affected],
]
const id = z.uuid()
const NO_BODY = 'Please enter a message body.'

export const template = {
  ...templateReads,
  create: write({
    path: '/api/template/create/enterprise',
    needs: 'data_analytics',
    stepUp: 'save',
    refreshes: () => stale,
    about: 'Creates a template, also from a recommendation.',
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
    about: 'Changes a template. Messages already queued keep their text.',
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
      /** The version the editor loaded; a 409 when somebody else saved in the meantime. */
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
    about: 'Deletes a template. The record of messages sent with it stays.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  test: write({
    path: '/api/template/test/enterprise',
    needs: 'data_analytics',
    about: 'Sends a test message: email to the login’s address, or a text to a mobile. Ten an hour.',
    example: {
      pharmacy_id: '01980000-0000-7000-8000-00000000000a',
      channel: 'sms',
      body: 'Hi from {Pharmacy Name}.',
      mobile: '0491 570 156',
    },
    input: z.object({
      pharmacy_id: z.uuid(),
      channel: z.enum(CHANNELS),
      body: z.string(needed(NO_BODY)).min(1).max(BODY_LIMIT),
      subject: z.string().max(300).nullish(),
      /** Texts only. */
      mobile: z.string().max(40).nullish(),
    }),
    output: z.object({ sent_to: z.string(), simulated: z.boolean() }),
  }),
  draft: write({
    path: '/api/template/chatgpt',
    needs: 'data_analytics',
    waits: true,
    about: 'Drafts a message with the configured AI service, or from the starter drafts.',
    example: { prompt: 'Invite patients to a flu clinic', communication_type: 'sms' },
    input: z.object({
      prompt: z.string().max(2_000).default(''),
      category_name: z.string().max(100).nullish(),
      subcategory_name: z.string().max(200).nullish(),
      communication_type: z.enum(['sms', 'email', 'both']).default('sms'),
      /** The consent the message needs; starter drafts for that purpose are offered. */
      message_kind: z.enum(CONSENT_KINDS).default('health_outreach'),
    }),
    grows: z.object({ template_text: z.string() }),
    output: z.object({
      template_text: z.string(),
      /** Where the text comes from, so that the screen never calls a starter draft AI. */
      source: z.enum(['ai', 'starter']),
      /** More matching starter drafts; empty for AI. */
      drafts: z.array(z.object({ title: z.string(), text: z.string() })),
    }),
  }),
}
