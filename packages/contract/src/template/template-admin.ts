import { COMMUNICATION_TYPES, COMPANY_CHOICES } from '@pillar/domain/campaign/campaign-rule'
import { CONSENT_KINDS } from '@pillar/domain/consent/consent'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { chosenFields, chosenSubject, isChosen, restoredAnswer, undone } from '../wire/chosen.ts'
import { alsoInData } from '../wire/in-data.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'
import { BODY_LIMIT } from './template-read.ts'

const type = z.enum(COMMUNICATION_TYPES)

/** A template of a company, or a global one. */
export const AdminTemplate = z.object({
  uuid: z.uuid(),
  name: z.string(),
  type,
  subject: z.string().nullable(),
  body: z.string(),
  message_kind: z.enum(CONSENT_KINDS),
  active: z.boolean(),
  /** Written by the head office; otherwise by its pharmacies. */
  enterprise_template: z.boolean(),
  /** Belongs to no company: for clinical trials and sequences. */
  global_template: z.boolean(),
  company: z.object({ uuid: z.uuid(), name: z.string() }).nullable(),
  /** What uses a global template. */
  clinical_trials: z.array(z.object({ id: z.uuid(), name: z.string() })),
  sequences: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** One of the three demo templates: never edited or deleted. */
  demo: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** When it was deleted; null if it was not. */
  removed_at: z.iso.datetime().nullable(),
  version: z.number(),
})
export type AdminTemplate = z.output<typeof AdminTemplate>

const part = z.string().max(200).nullish()
const yesNo = z.boolean().nullish()

/** The filters of the template list; the same for 'Select All Matching'. */
const filterFields = {
  search_term: searchField,
  /** Part of the company's name, or its uuid. */
  company: part,
  name: part,
  body: part,
  /** One type or several. */
  type: z.union([type, z.array(type).max(3)]).nullish(),
  active: yesNo,
  enterprise_template: yesNo,
  global_template: yesNo,
  /** Can be sent as a text; can be sent as an email. */
  sms_template: yesNo,
  email_template: yesNo,
  /** Show deleted ones instead of the others. */
  removed: yesNo,
}
export const TemplateFilter = z.object(filterFields)
export type TemplateFilter = z.output<typeof TemplateFilter>

const chosen = chosenFields('templates', TemplateFilter)
const NONE = 'Please select at least one template.'
const text = z.string().max(BODY_LIMIT)
const fields = {
  name: z.string().max(200).default(''),
  body: text.default(''),
  subject: z.string().max(300).nullish(),
  /** When null or left out, one sentence names it with the other missing fields. */
  communication_type: type.nullish(),
  message_kind: z.enum(CONSENT_KINDS).default('health_outreach'),
}
const TEMPLATE = '01980000-0000-7000-8000-000000000003'
const written = {
  name: 'Flu clinic',
  body: 'Hi {First Name}, {Pharmacy Name} has flu vaccine in stock. Call {Pharmacy Number} to book.',
  communication_type: 'sms',
} as const

const search = read({
  path: '/api/template/admin/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Templates of all companies and the global ones. `paginate: false` answers all that match, 10,000 at most.',
  example: { page: 1, global_template: false, type: ['sms', 'both'] },
  input: listInput(['name', 'company', 'type', 'active', 'updated_at'], {
    ...filterFields,
    paginate: z.boolean().default(true),
  }),
  output: listOf(AdminTemplate),
})

const info = read({
  path: '/api/template/admin/{id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One template of a company, or a global one.',
  example: { id: TEMPLATE },
  input: z.object({ id: z.uuid() }),
  output: AdminTemplate,
})

const affected = read({
  path: '/api/template/admin/affected-campaigns',
  needs: 'sr_login',
  reach: 'platform',
  about:
    'Campaigns, sequences and clinical trials that activating, deactivating or (without `active`) deleting templates would affect.',
  example: { template_ids: [TEMPLATE], active: false },
  input: z.object({ ...chosen, active: z.boolean().nullish() }).refine(isChosen, NONE),
  output: z.object({
    campaign_names: z.array(z.string()),
    sequence_names: z.array(z.string()),
    trial_names: z.array(z.string()),
    /** The number of templates selected. */
    templates: z.number(),
  }),
})

const stale = () => [search, info, affected]

/** Company and global templates in the support console. */
export const templateAdmin = {
  search,
  info,
  affected,
  create: write({
    path: '/api/template/admin/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Creates a template for the companies named, or for all.',
    example: { ...written, company_choice: 'specific', companies: [TEMPLATE], enterprise_template: true },
    input: z.object({
      ...fields,
      /** Left out: active for an enterprise template, inactive for a pharmacy template. */
      active: z.boolean().nullish(),
      enterprise_template: z.boolean().default(true),
      company_choice: z.enum(COMPANY_CHOICES).default('specific'),
      companies: z.array(z.uuid()).max(1000).default([]),
    }),
    output: alsoInData({ ids: z.array(z.uuid()) }),
  }),
  createGlobal: write({
    path: '/api/template/admin/create/global',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Creates a template that belongs to no company, for clinical trials and sequences.',
    example: written,
    input: z.object({ ...fields, active: z.boolean().default(false) }),
    output: alsoInData({ id: z.uuid() }),
  }),
  edit: write({
    path: '/api/template/admin/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    subject: chosenSubject,
    refreshes: stale,
    about: 'Changes templates; fields left out or null stay unchanged. Messages already queued keep their text.',
    example: { template_ids: [TEMPLATE], name: 'Flu clinic 2027' },
    input: z
      .object({
        ...chosen,
        name: z.string().max(200).nullish(),
        body: text.nullish(),
        subject: z.string().max(300).nullish(),
        communication_type: type.nullish(),
        message_kind: z.enum(CONSENT_KINDS).nullish(),
        /** The template's version, when only one is edited. */
        version: z.number().int().nullish(),
      })
      .refine(isChosen, NONE),
    output: z.object({ updated: z.number() }),
  }),
  editActiveStatus: write({
    path: '/api/template/admin/edit-active-status',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: ({ active }) => (active ? 'activate' : 'deactivate'),
    subject: chosenSubject,
    refreshes: stale,
    about: 'Activates or deactivates enterprise and global templates.',
    example: { template_ids: [TEMPLATE], active: true },
    input: z.object({ ...chosen, active: z.boolean() }).refine(isChosen, NONE),
    output: z.object({ updated: z.number() }),
  }),
  remove: write({
    path: '/api/template/admin/delete',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'delete',
    subject: chosenSubject,
    refreshes: stale,
    about:
      'Deletes templates. The record of messages sent with them stays. They can be restored for 30 days, inactive and out of every campaign.',
    example: { template_ids: [TEMPLATE] },
    input: z.object(chosen).refine(isChosen, NONE),
    output: z.object({ deleted: z.number(), removed_at: z.iso.datetime() }),
  }),
  restore: write({
    path: '/api/template/admin/{id}/restore',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: stale,
    about: 'Restores a template deleted within the last 30 days, inactive.',
    example: { id: TEMPLATE },
    input: z.object({ id: z.uuid() }),
    output: z.object({ restored: z.literal(true) }),
  }),
  restoreMany: write({
    path: '/api/template/admin/restore',
    needs: 'sr_login',
    reach: 'platform',
    slow: true,
    subject: chosenSubject,
    refreshes: stale,
    about:
      'Restores templates deleted within the last 30 days, inactive: those named, those a filter matches, or all that one call deleted. Says which could not be restored.',
    example: { template_ids: [TEMPLATE] },
    input: z.object({ ...chosen, ...undone }).refine(isChosen, NONE),
    output: restoredAnswer,
  }),
}
