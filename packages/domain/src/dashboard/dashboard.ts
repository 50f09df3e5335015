import { type Problem, problemSentence } from '../text/sentence.ts'
import { isUuid } from '../text/uuid.ts'
import { urlOf } from '../text/web-address.ts'

/** Kinds of analytics dashboards, with their names on screen. */
export const DASHBOARD_TYPES = {
  Supplier: 'Supplier',
  Advertiser: 'Advertising',
  'Industry Dashboard': 'Industry Dashboard',
} as const
export type DashboardType = keyof typeof DASHBOARD_TYPES
export const DASHBOARD_TYPE_VALUES = Object.keys(DASHBOARD_TYPES) as [DashboardType, ...DashboardType[]]
export const DASHBOARD_NAME_LIMIT = 200

/** The most products a dashboard names as the supplier's own, and the longest name. */
export const MOST_PRODUCTS = 50
export const PRODUCT_LIMIT = 60

/** Product names as typed, one per line or separated by commas; each once, ignoring letter case. */
export function productNames(text: string): string[] {
  const names = text
    .split(/[\n,]/)
    .map((name) => name.trim().replaceAll(/\s+/g, ' '))
    .filter((name) => name !== '')
  return names.filter((name, at) => names.findIndex((one) => one.toLowerCase() === name.toLowerCase()) === at)
}

/** Allowed characters of a path: none that another program could read as a different host. */
const PATH = /^(\/[\w-]+)*\/?$/

export interface DashboardDraft {
  readonly name: string
  /** Uuids; empty when none is chosen. */
  readonly company_id: string
  readonly dashboard_id: string
  readonly dashboard_type: DashboardType | null
  readonly domain_url: string
  readonly production: boolean | null
  /** Prefixes of the supplier's own product names. */
  readonly products: readonly string[]
}

/**
 * The address of an analytics server as it is stored: https, on exactly one of the allowed hosts, its usual port, and at most a plain path;
 * null for anything else. The text is judged as a browser reads it, not as it is written.
 */
export function dashboardAddress(text: string, hosts: readonly string[]): string | null {
  const trimmed = text.trim()
  const url = /^https:\/\/[^\\@?#]+$/i.test(trimmed) ? urlOf(trimmed) : null
  if (url === null) return null
  const { protocol, hostname, port, pathname, username, password } = url
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return null
  if (!hosts.some((host) => host.toLowerCase() === hostname) || !PATH.test(pathname)) return null
  return `https://${hostname}${pathname.replace(/\/$/, '')}`
}

/** What is missing or wrong before a dashboard can be saved, field by field. */
export function dashboardProblems(draft: DashboardDraft, hosts: readonly string[]): Problem<keyof DashboardDraft>[] {
  const problems: Problem<keyof DashboardDraft>[] = []
  const wrong = (field: keyof DashboardDraft, words: string) => problems.push({ field, words })
  if (draft.name.trim() === '') wrong('name', 'enter a dashboard name')
  if (draft.company_id === '') wrong('company_id', 'select a company')
  if (draft.dashboard_type === null) wrong('dashboard_type', 'select a dashboard type')
  if (draft.dashboard_id.trim() === '') wrong('dashboard_id', 'enter a dashboard ID')
  else if (!isUuid(draft.dashboard_id)) wrong('dashboard_id', 'enter the dashboard ID as a UUID')
  if (draft.domain_url.trim() === '') wrong('domain_url', 'enter a domain URL')
  else if (dashboardAddress(draft.domain_url, hosts) === null)
    wrong('domain_url', `enter a domain URL that begins with ${hosts.map((host) => `https://${host}`).join(' or ')}`)
  if (draft.production === null) wrong('production', 'select a production status')
  if (draft.products.length > MOST_PRODUCTS || draft.products.some((name) => name.length > PRODUCT_LIMIT))
    wrong('products', `name at most ${MOST_PRODUCTS} products, each in at most ${PRODUCT_LIMIT} characters`)
  return problems
}

/** The same as one sentence; empty when nothing is missing. */
export function dashboardProblem(draft: DashboardDraft, hosts: readonly string[]): string {
  return problemSentence(dashboardProblems(draft, hosts))
}
