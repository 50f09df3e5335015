import { CONSENT_KINDS } from '@pillar/domain/consent/consent'
import { z } from 'zod'
import { read } from '../wire/call.ts'
import { paged, pageField, searchField } from '../wire/paging.ts'

/** The longest body a template may have, in characters: far beyond any text, and enough for an email. */
export const BODY_LIMIT = 20_000

const MoleculeName = z.object({ molecule: z.string(), atc_code: z.string() })

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
  /** From the company’s pharmacies, each title once with its number of pharmacies; active if any of them is. */
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
  /** The company already has a template made from it. */
  adopted: z.boolean(),
  subject: z.string().nullable(),
  body: z.string(),
  sms_template: z.boolean(),
  email_template: z.boolean(),
  message_kind: z.enum(CONSENT_KINDS),
})
export type TemplateRecommendation = z.output<typeof TemplateRecommendation>

const id = z.uuid()

/** Calls that read templates; template.ts has the writes. */
export const templateReads = {
  list: read({
    path: '/api/template/list/enterprise',
    needs: 'data_analytics',
    about: 'The company’s templates, newest first, searched by name and body and filtered by type and status.',
    example: { page: 1, search_term: 'flu', active: true },
    input: z.object({
      search_term: searchField,
      /** When both or neither are set, every type is shown. */
      sms_template: z.boolean().nullish(),
      email_template: z.boolean().nullish(),
      page: pageField,
      active: z.boolean().nullish(),
    }),
    output: z.object({ templates: z.array(Template), ...paged }),
  }),
  info: read({
    path: '/api/template/{id}/info/enterprise',
    needs: 'data_analytics',
    about: 'One template with all its fields.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: Template,
  }),
  recommendations: read({
    path: '/api/template-recommendation/company/list',
    needs: 'data_analytics',
    about: 'Templates recommended to every company; `new` filters to those the company does not use yet.',
    example: { page: 1, new: true },
    input: z.object({ page: pageField, search_term: searchField, new: z.boolean().nullish() }),
    output: z.object({ templates: z.array(TemplateRecommendation), ...paged }),
  }),
  affected: read({
    path: '/api/template/{id}/affected-campaigns/enterprise',
    needs: 'data_analytics',
    about: 'Campaigns and sequences that activating, deactivating or deleting the template would affect.',
    example: { id: '01980000-0000-7000-8000-00000000000a', active: false },
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
    heavy: true,
    scratch: true,
    about: 'A message as a real patient of a pharmacy would get it; each preview is audited.',
    example: {
      pharmacy_id: '01980000-0000-7000-8000-00000000000a',
      body: 'Hi {First Name}, greetings from {Pharmacy Name}.',
    },
    input: z.object({
      pharmacy_id: z.uuid(),
      body: z.string().max(BODY_LIMIT),
      subject: z.string().max(300).nullish(),
      /** Picks one of the pharmacy’s patients, from 0; change it to see another. */
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
        /** The character that adds the last part, or forces Unicode. */
        tipping: z.string().nullable(),
      }),
      email: z.object({ from: z.string(), subject: z.string(), html: z.string(), text: z.string() }),
      /** Fields without a value. */
      missing: z.array(z.string()),
    }),
  }),
  molecules: read({
    path: '/api/molecule-list',
    needs: 'data_analytics',
    about:
      'Every molecule dispensed by the company’s pharmacies, with its ATC code; and the names of other codes, which a recommended campaign may select.',
    example: {},
    input: z.object({}),
    output: z.object({
      molecule_atc_codes: z.array(MoleculeName),
      /** From the reference list of medicines; none of them has been dispensed. A server of the previous version sends none. */
      other_names: z.array(MoleculeName).optional(),
    }),
  }),
  groups: read({
    path: '/api/enterprise-group-list-names',
    needs: 'data_analytics',
    about: 'Categories and their subcategories, for the prompt box and the cohort’s drug types.',
    example: {},
    input: z.object({}),
    output: z.object({
      groups: z.array(z.object({ category: z.string(), subcategories: z.array(z.string()) })),
      /** Whether the prompt box uses an AI service; otherwise it offers starter drafts. */
      ai: z.boolean(),
    }),
  }),
}
