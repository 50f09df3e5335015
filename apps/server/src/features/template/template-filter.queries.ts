import type { CommunicationType } from '@pillar/domain/campaign/campaign-rule'
import { isUuid } from '@pillar/domain/text/uuid'
import { type RawBuilder, sql } from 'kysely'
import { holds, holdsLower, is, searched } from '../../db/list.ts'

/** Support's filters for templates; null or absent for any. */
export interface TextFilter {
  search_term: string
  name?: string | null | undefined
  body?: string | null | undefined
  type?: CommunicationType | readonly CommunicationType[] | null | undefined
  sms_template?: boolean | null | undefined
  email_template?: boolean | null | undefined
  /** Deleted ones instead of current ones. */
  removed?: boolean | null | undefined
}

export interface TemplateFilter extends TextFilter {
  /** Part of the company's name, or its uuid. */
  company?: string | null | undefined
  active?: boolean | null | undefined
  enterprise_template?: boolean | null | undefined
  global_template?: boolean | null | undefined
}

type Condition = RawBuilder<unknown> | null

/** The type of a template `t`: both toggles on, or neither, means both. */
export const typeOf = sql<CommunicationType>`case when t.sms_template = t.email_template then 'both' when t.sms_template then 'sms' else 'email' end`

/** By the toggles themselves, which are in the index that counts templates. */
const TYPES: Readonly<Record<CommunicationType, RawBuilder<unknown>>> = {
  sms: sql`(t.sms_template and not t.email_template)`,
  email: sql`(t.email_template and not t.sms_template)`,
  both: sql`t.sms_template = t.email_template`,
}

/**
 * Conditions on a table `t` with the text of a template.
 * @param both name and body in lower case as one indexed column; null if there is none
 */
export function textConditions(filter: TextFilter, both: RawBuilder<unknown> | null = null): Condition[] {
  const uuid = sql`t.uuid`
  const types = filter.type == null ? [] : [filter.type].flat()
  return [
    filter.removed ? sql`t.removed_at is not null` : sql`t.removed_at is null`,
    ...searched({ search: both ? [] : [sql`t.name`, sql`t.body`], uuid }, filter.search_term),
    ...(both && !isUuid(filter.search_term) ? [holdsLower(both, filter.search_term)] : []),
    // The index finds the text in either; the row itself decides in which.
    both && holdsLower(both, filter.name),
    holds(sql`t.name`, filter.name),
    both && holdsLower(both, filter.body),
    holds(sql`t.body`, filter.body),
    types.length === 0
      ? null
      : sql`(${sql.join(
          types.map((type) => TYPES[type]),
          sql` or `,
        )})`,
    is(sql`t.sms_template`, filter.sms_template),
    is(sql`t.email_template`, filter.email_template),
  ]
}

/** Conditions on `template t left join company c`. */
export function templateConditions(filter: TemplateFilter): Condition[] {
  const company = filter.company?.trim() ?? ''
  return [
    ...textConditions(filter, sql`t.search_text`),
    isUuid(company) ? sql`c.uuid = ${company}` : holds(sql`c.name`, company),
    is(sql`t.active`, filter.active),
    is(sql`t.enterprise_template`, filter.enterprise_template),
    is(sql`(t.company_id is null)`, filter.global_template),
  ]
}
