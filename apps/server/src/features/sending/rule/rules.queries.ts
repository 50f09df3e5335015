import { DEFAULT_CAP, type FrequencyCap } from '@pillar/domain/cohort/frequency-cap'
import type { Country } from '@pillar/domain/time/locale'
import { DEFAULT_HOURS, type SendingHours } from '@pillar/domain/time/quiet-hours'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

/** A company's sending rules. */
export interface CompanyRules {
  cap: FrequencyCap
  hours: SendingHours
  /** Holdout in percent; 0 for none. */
  holdoutPercent: number
  /** Whether a campaign is sent only after a second person has approved it. */
  approval: boolean
}

/** A company's rules as they apply at one pharmacy. */
export interface PharmacyRules extends CompanyRules {
  /** Every one of them applies. */
  caps: readonly FrequencyCap[]
}

/** The sending rules at a pharmacy of the scope. */
export async function readRulesAt(tx: Tx, country: Country, locationId: number): Promise<PharmacyRules> {
  const rules = await readRules(tx, country)
  const { hoursAt, limits } = await readPlaceRules(tx, rules, [locationId])
  return { ...rules, hours: hoursAt(locationId), caps: limits }
}

/** The sending hours at a pharmacy, by its id. Equal hours are the same object. */
export type HoursAt = (locationId: number) => SendingHours

/** A frequency limit, and the ids of the pharmacies where it applies: null for all of a company. */
export interface Limit extends FrequencyCap {
  readonly at: readonly number[] | null
}

/**
 * The sending hours and frequency limits at these pharmacies of the scope: a pharmacy's own hours replace the company's; its own limit
 * applies in addition to the company's (decision 036). Equal limits are merged.
 */
export async function readPlaceRules(
  tx: Tx,
  company: Pick<CompanyRules, 'cap' | 'hours'>,
  locationIds: readonly number[],
): Promise<{ hoursAt: HoursAt; limits: Limit[] }> {
  const rows = await tx
    .selectFrom('location_messaging')
    .select(['location_id', 'week', 'holidays_quiet', 'cap_messages', 'cap_hours'])
    .where('location_id', '=', sql<number>`any (${[...locationIds]}::bigint[])`)
    .orderBy('location_id')
    .execute()
  const keyOf = ({ week, holidaysQuiet }: SendingHours) => JSON.stringify([week, holidaysQuiet])
  const equal = new Map([[keyOf(company.hours), company.hours]])
  const own = new Map<number, SendingHours>()
  const limits = new Map<string, FrequencyCap & { at: number[] }>()
  for (const { location_id, cap_messages: messages, cap_hours: hours, ...row } of rows) {
    const id = Number(location_id)
    if (row.week) {
      const open = ownHours(row)
      const key = keyOf(open)
      equal.set(key, equal.get(key) ?? open)
      own.set(id, equal.get(key)!)
    }
    if (messages && hours) {
      const key = `${messages} in ${hours}`
      limits.set(key, { messages, hours, at: [...(limits.get(key)?.at ?? []), id] })
    }
  }
  return { hoursAt: (id) => own.get(id) ?? company.hours, limits: [{ ...company.cap, at: null }, ...limits.values()] }
}

const ownHours = (row: { week: unknown; holidays_quiet: boolean | null }): SendingHours => ({
  week: row.week as SendingHours['week'],
  holidaysQuiet: row.holidays_quiet ?? true,
})

/** Advisory lock namespace of companies' rules: a row that does not exist yet cannot be locked. */
const RULES_SPACE = 7315

/** Called before anybody changes the sending rules of the scope's company or of one of its pharmacies; until the transaction ends. */
export async function holdRules(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(RULES_SPACE)}, scope_company_id()::int)`.execute(tx)
}

/**
 * Called before reading the rules by which messages are planned, until the commit: nobody changes them in between, so whoever changes them
 * next finds these messages.
 */
export async function shareRules(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(RULES_SPACE)}, scope_company_id()::int)`.execute(tx)
}

/** The version of the company's rules, locked for the rest of the transaction; 0 if never set. */
export async function holdRulesVersion(tx: Tx): Promise<number> {
  await holdRules(tx)
  const row = await tx.selectFrom('messaging_setting').select('version').forUpdate().executeTakeFirst()
  return row?.version ?? 0
}

/** The sending rules of the scope's company, with defaults for anything not set. */
export async function readRules(tx: Tx, country: Country): Promise<CompanyRules & { version: number }> {
  const row = await tx
    .selectFrom('messaging_setting')
    .select(['cap_messages', 'cap_hours', 'week', 'holidays_quiet', 'holdout_percent', 'approval', 'version'])
    .executeTakeFirst()
  const standard = DEFAULT_HOURS[country]
  if (!row) return { cap: DEFAULT_CAP, hours: standard, holdoutPercent: 0, approval: false, version: 0 }
  return {
    cap: { messages: row.cap_messages, hours: row.cap_hours },
    hours: {
      week: (row.week as SendingHours['week'] | null) ?? standard.week,
      holidaysQuiet: row.holidays_quiet,
    },
    holdoutPercent: row.holdout_percent,
    approval: row.approval,
    version: row.version,
  }
}

/** How many logins of the scope's company may send campaigns. */
export async function countSenders(tx: Tx): Promise<number> {
  const { n } = await tx
    .selectFrom('campaign_sender')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Sets the sending rules of the scope's company, all at once. */
export async function saveRules(tx: Tx, companyId: number, rules: CompanyRules, now: Date): Promise<void> {
  const columns = {
    cap_messages: rules.cap.messages,
    cap_hours: rules.cap.hours,
    week: JSON.stringify(rules.hours.week),
    holidays_quiet: rules.hours.holidaysQuiet,
    holdout_percent: rules.holdoutPercent,
    approval: rules.approval,
    updated_at: now,
  }
  await tx
    .insertInto('messaging_setting')
    .values({ company_id: companyId, ...columns })
    .onConflict((conflict) =>
      conflict
        .column('company_id')
        .doUpdateSet((eb) => ({ ...columns, version: eb('messaging_setting.version', '+', 1) })),
    )
    .execute()
}
