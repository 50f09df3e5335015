import { CONSENT_KINDS } from '@pillar/domain/consent'
import { z } from 'zod'
import { read, write } from './call.ts'
import { paged, pageField, searchField } from './paging.ts'

/** Longest body a template may have, in characters; far beyond what anyone texts, enough for an e-mail. */
export const BODY_LIMIT = 20_000

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

export const Template = z.object({
  template_id: z.uuid(),
  name: z.string(),
  body: z.string(),
  subject: z.string().nullable(),
  sms_template: z.boolean(),
  email_template: z.boolean(),
  message_kind: z.enum(CONSENT_KINDS),
  active: z.boolean(),
  /** One of the three demo templates: never edited or deleted. */
  demo: z.boolean(),
  template_recommendation_id: z.uuid().nullable(),
  campaigns: z.array(z.object({ campaign_id: z.uuid(), campaign_name: z.string(), active: z.boolean() })),
  /** Of the company’s pharmacies, each title once with how many pharmacies have it; active where any of them is. */
  sequences: z.array(z.object({ sequence_name: z.string(), pharmacies: z.number(), active: z.boolean() })),
  author: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.number(),
})
export type Template = z.output<typeof Template>

export const TemplateRecommendation = z.object({
  template_recommendation_id: z.uuid(),
  type: z.literal('template'),
  name: z.string(),
  description: z.string(),
  /** Published within the last 30 days. */
  new: z.boolean(),
  /** The company has made a template from it. */
  adopted: z.boolean(),
  subject: z.string().nullable(),
  body: z.string(),
  sms_template: z.boolean(),
  email_template: z.boolean(),
  message_kind: z.enum(CONSENT_KINDS),
})
export type TemplateRecommendation = z.output<typeof TemplateRecommendation>

const stale = ['template.list', 'template.recommendations', 'campaign.list', 'campaign.info'] as const
const id = z.uuid()

export const template = {
  list: read({
    path: '/api/template/list/enterprise',
    needs: 'data_analytics',
    about: 'The company’s templates, newest first, searched by name and body and filtered by type and status.',
    input: z.object({
      search_term: searchField,
      /** Both or neither set: every type. */
      sms_template: z.boolean().nullish(),
      email_template: z.boolean().nullish(),
      page: pageField,
      active: z.boolean().nullish(),
    }),
    output: z.object({ templates: z.array(Template), ...paged }),
  }),
  recommendations: read({
    path: '/api/template-recommendation/company/list',
    needs: 'data_analytics',
    about: 'Templates recommended to every company; `new` leaves out those the company already uses.',
    input: z.object({ page: pageField, search_term: searchField, new: z.boolean().nullish() }),
    output: z.object({ templates: z.array(TemplateRecommendation), ...paged }),
  }),
  create: write({
    path: '/api/template/create/enterprise',
    needs: 'data_analytics',
    stepUp: 'save',
    refreshes: stale,
    about: 'Makes a template, also from a recommendation.',
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
    refreshes: stale,
    about: 'Changes a template. Messages already written keep their text.',
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
    refreshes: stale,
    about: 'Activates or deactivates a template.',
    input: z.object({ id, active: z.boolean() }),
    output: z.object({ active: z.boolean() }),
  }),
  remove: write({
    path: '/api/template/{id}/delete/enterprise',
    needs: 'data_analytics',
    stepUp: 'delete',
    refreshes: stale,
    about: 'Deletes a template. What was sent with it stays in the records.',
    input: z.object({ id }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  affected: read({
    path: '/api/template/{id}/affected-campaigns/enterprise',
    needs: 'data_analytics',
    about: 'Campaigns and sequences that activating, deactivating or deleting the template would touch.',
    input: z.object({ id, active: z.boolean().nullish() }),
    output: z.object({
      campaign_names: z.array(z.string()),
      /** Sequences of the company’s pharmacies, each title once. */
      sequence_names: z.array(z.string()),
    }),
  }),
  preview: read({
    path: '/api/template/preview/enterprise',
    needs: 'data_analytics',
    scratch: true,
    about: 'A message as a real patient of a pharmacy would get it; looking at it is recorded.',
    input: z.object({
      pharmacy_id: z.uuid(),
      body: z.string().max(BODY_LIMIT),
      subject: z.string().max(300).nullish(),
      /** Which of the pharmacy’s patients, from 0; another number shows another. */
      patient: z.number().int().min(0).max(1_000_000).default(0),
    }),
    output: z.object({
      patient_name: z.string().nullable(),
      patients: z.number(),
      sms: z.object({
        text: z.string(),
        encoding: z.enum(['gsm7', 'ucs2']),
        units: z.number(),
        parts: z.number(),
        cents: z.number(),
        /** The character that costs the last part, or forces Unicode. */
        tipping: z.string().nullable(),
      }),
      email: z.object({ from: z.string(), subject: z.string(), html: z.string(), text: z.string() }),
      /** Fields that had no value. */
      missing: z.array(z.string()),
    }),
  }),
  test: write({
    path: '/api/template/test/enterprise',
    needs: 'data_analytics',
    about: 'Sends a message to oneself: e-mail to the login’s address, a text to a mobile. Ten an hour.',
    input: z.object({
      pharmacy_id: z.uuid(),
      channel: z.enum(['sms', 'email']),
      body: z.string().min(1, 'Please enter a message body.').max(BODY_LIMIT),
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
  molecules: read({
    path: '/api/molecule-list',
    needs: 'data_analytics',
    about: 'Every molecule that the company’s pharmacies have dispensed, with its ATC code.',
    input: z.object({}),
    output: z.object({ molecule_atc_codes: z.array(z.object({ molecule: z.string(), atc_code: z.string() })) }),
  }),
  groups: read({
    path: '/api/enterprise-group-list-names',
    needs: 'data_analytics',
    about: 'Categories and their subcategories, for the prompt box and the cohort’s drug types.',
    input: z.object({}),
    output: z.object({
      groups: z.array(z.object({ category: z.string(), subcategories: z.array(z.string()) })),
      /** Whether an AI service answers the prompt box; otherwise starter drafts do. */
      ai: z.boolean(),
    }),
  }),
}
