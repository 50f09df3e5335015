import { COMMUNICATION_TYPES } from '@pillar/domain/campaign/campaign-rule'
import { CONSENT_KINDS } from '@pillar/domain/consent/consent'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { chosenFields, chosenSubject, isChosen, restoredAnswer, undone } from '../wire/chosen.ts'
import { alsoInData } from '../wire/in-data.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'
import { BODY_LIMIT } from './template-read.ts'

const type = z.enum(COMMUNICATION_TYPES)

export const AdminTemplateRecommendation = z.object({
  template_recommendation_id: z.uuid(),
  name: z.string(),
  description: z.string(),
  type,
  subject: z.string().nullable(),
  body: z.string(),
  sms_template: z.boolean(),
  email_template: z.boolean(),
  message_kind: z.enum(CONSENT_KINDS),
  /** Recommended campaigns and sequences that use it; it cannot be deleted until they stop using it. */
  used_by: z.array(z.string()),
  published_at: z.iso.datetime(),
  /** When it was deleted; null if it was not. */
  removed_at: z.iso.datetime().nullable(),
  version: z.number(),
})
export type AdminTemplateRecommendation = z.output<typeof AdminTemplateRecommendation>

const part = z.string().max(200).nullish()
const yesNo = z.boolean().nullish()
const filterFields = {
  search_term: searchField,
  name: part,
  body: part,
  type: z.union([type, z.array(type).max(3)]).nullish(),
  sms_template: yesNo,
  email_template: yesNo,
  /** Show deleted ones instead of the others. */
  removed: yesNo,
}
export const TemplateRecommendationFilter = z.object(filterFields)
export type TemplateRecommendationFilter = z.output<typeof TemplateRecommendationFilter>

const chosen = chosenFields('templates', TemplateRecommendationFilter)
const NONE = 'Please select at least one template.'
const TEMPLATE = '01980000-0000-7000-8000-000000000004'
const sorts = ['name', 'type', 'published_at'] as const

const search = read({
  path: '/api/template-recommendation/admin/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Recommended templates. `paginate: false` answers all that match, 10,000 at most.',
  example: { page: 1, type: ['sms'] },
  input: listInput(sorts, { ...filterFields, paginate: z.boolean().default(true) }),
  output: listOf(AdminTemplateRecommendation, 'templates'),
})

const list = read({
  path: '/api/template-recommendation/list',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Recommended templates for a picker: those for one channel, including those for both.',
  example: { page: 1, sms_template: true },
  input: listInput(sorts, { sms_template: yesNo, email_template: yesNo }),
  output: listOf(AdminTemplateRecommendation, 'templates'),
})

const info = read({
  path: '/api/template-recommendation/admin/{id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One recommended template.',
  example: { id: TEMPLATE },
  input: z.object({ id: z.uuid() }),
  output: AdminTemplateRecommendation,
})

const affected = read({
  path: '/api/template-recommendation/admin/affected',
  needs: 'sr_login',
  reach: 'platform',
  about: 'How many companies the recommended templates are offered to, and how many made templates from them.',
  example: { template_ids: [TEMPLATE] },
  input: z.object(chosen).refine(isChosen, NONE),
  output: z.object({
    /** The number of recommended templates selected. */
    recommended: z.number(),
    /** The number of companies they are offered to. */
    companies: z.number(),
    /** The number of companies with a template made from one of them. */
    adopted: z.number(),
    /** Templates made from them, and how many active campaigns use those. */
    templates: z.number(),
    campaigns: z.number(),
  }),
})

const stale = () => [search, list, info, affected]

/** Recommended templates in the support console. */
export const templateRecommendation = {
  search,
  list,
  info,
  affected,
  create: write({
    path: '/api/template-recommendation/admin/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Recommends a template to every company.',
    example: {
      name: 'Flu clinic',
      body: 'Hi {First Name}, {Pharmacy Name} has flu vaccine in stock.',
      sms_template: true,
    },
    input: z.object({
      name: z.string().max(200).default(''),
      description: z.string().max(2_000).default(''),
      body: z.string().max(BODY_LIMIT).default(''),
      subject: z.string().max(300).nullish(),
      sms_template: z.boolean().default(false),
      email_template: z.boolean().default(false),
      message_kind: z.enum(CONSENT_KINDS).default('health_outreach'),
    }),
    output: alsoInData({ id: z.uuid() }),
  }),
  edit: write({
    path: '/api/template-recommendation/admin/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    subject: chosenSubject,
    refreshes: stale,
    about:
      'Changes recommended templates; fields left out or null stay unchanged. Templates already made from them also stay unchanged.',
    example: { template_ids: [TEMPLATE], name: 'Flu clinic 2027' },
    input: z
      .object({
        ...chosen,
        name: z.string().max(200).nullish(),
        description: z.string().max(2_000).nullish(),
        body: z.string().max(BODY_LIMIT).nullish(),
        subject: z.string().max(300).nullish(),
        sms_template: yesNo,
        email_template: yesNo,
        message_kind: z.enum(CONSENT_KINDS).nullish(),
        version: z.number().int().nullish(),
      })
      .refine(isChosen, NONE),
    output: z.object({ updated: z.number() }),
  }),
  remove: write({
    path: '/api/template-recommendation/admin/delete',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'delete',
    subject: chosenSubject,
    refreshes: stale,
    about: 'Withdraws recommended templates. Templates made from them stay.',
    example: { template_ids: [TEMPLATE] },
    input: z.object(chosen).refine(isChosen, NONE),
    output: z.object({ deleted: z.number(), removed_at: z.iso.datetime() }),
  }),
  restore: write({
    path: '/api/template-recommendation/admin/{id}/restore',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: stale,
    about: 'Restores a recommended template withdrawn within the last 30 days.',
    example: { id: TEMPLATE },
    input: z.object({ id: z.uuid() }),
    output: z.object({ restored: z.literal(true) }),
  }),
  restoreMany: write({
    path: '/api/template-recommendation/admin/restore',
    needs: 'sr_login',
    reach: 'platform',
    subject: chosenSubject,
    refreshes: stale,
    about:
      'Restores recommended templates deleted within the last 30 days: those named, those a filter matches, or all that one call deleted. Says which could not be restored.',
    example: { template_ids: [TEMPLATE] },
    input: z.object({ ...chosen, ...undone }).refine(isChosen, NONE),
    output: restoredAnswer,
  }),
}
