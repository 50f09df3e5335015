import { capital } from '../text/sentence.ts'
import { NO_VALUE } from '../time/locale.ts'

/** One field of a record after a change, in words. */
export interface ChangedField {
  label: string
  before: string
  after: string
}

/** Labels for fields whose names would read wrong if spelled out. */
const LABELS: Readonly<Record<string, string>> = {
  ad_dashboard: 'Advertisement Dashboard',
  cloud_ecdr: 'Cloud eCDR',
  sixty_day_signup: '60 Day Signup',
  sms_template: 'SMS',
  sms_sender: 'SMS sender',
  url: 'Web address',
  logo_url: 'Logo address',
  sr_login: 'Support access',
  body: 'Message',
  etl_state: 'Upload state',
}

/** Words written in capitals. */
const CAPITALS = /\b(sms|uuid|id|url|etl|s8|utc)\b/g

/** The name of a field in words: 'first_name' is 'First name'. */
export function fieldLabel(field: string): string {
  const known = LABELS[field]
  if (known) return known
  const words = field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(CAPITALS, (word) => word.toUpperCase())
  return capital(words)
}

/** A value of a record in words: 'Yes', 'Ballarat, Bendigo', '–' for none. */
export function fieldValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return NO_VALUE
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? NO_VALUE : value.map(fieldValue).join(', ')
  if (typeof value === 'object') {
    const row = value as Record<string, unknown>
    const name = row.name ?? row.title
    if (typeof name === 'string') return name
    return Object.entries(row)
      .map(([field, one]) => `${fieldLabel(field)}: ${fieldValue(one)}`)
      .join('; ')
  }
  return String(value)
}

type Row = Readonly<Record<string, unknown>>

/** Fields nobody needs to read, such as the number of saves. */
const UNTOLD = new Set(['version', 'updated_at', 'last_updated'])

/** The fields a change altered, before and after, in words; counters of versions are left out. */
export function changedFields(before: Row, after: Row): ChangedField[] {
  return Object.keys({ ...before, ...after })
    .filter((field) => !UNTOLD.has(field))
    .map((field) => ({ label: fieldLabel(field), before: fieldValue(before[field]), after: fieldValue(after[field]) }))
}
