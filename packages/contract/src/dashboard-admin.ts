import { DASHBOARD_NAME_LIMIT, DASHBOARD_TYPE_VALUES } from '@pillar/domain/dashboard/dashboard'
import { z } from 'zod'
import { read, write } from './wire/call.ts'
import { listInput, listOf } from './wire/list.ts'
import { searchField } from './wire/paging.ts'

const type = z.enum(DASHBOARD_TYPE_VALUES)

export const AdminDashboard = z.object({
  id: z.uuid(),
  /** Its id for embedding on the analytics server. */
  dashboard_id: z.uuid(),
  name: z.string(),
  company_id: z.uuid(),
  /** The company's name. */
  company: z.string(),
  dashboard_type: type,
  active: z.boolean(),
  domain_url: z.string(),
  /** False once DASHBOARD_HOSTS no longer names its host: the dashboard stays hidden until its address is changed. */
  host_allowed: z.boolean(),
  production: z.boolean(),
  /** Prefixes of the supplier's own product names; Pillar's boards compare these products with the rest. */
  products: z.array(z.string()),
  created_at: z.iso.datetime(),
  /** When it was removed; null while it is listed. */
  removed_at: z.iso.datetime().nullable(),
  version: z.number(),
})
export type AdminDashboard = z.output<typeof AdminDashboard>

const id = z.uuid()
const DASHBOARD = '01980000-0000-7000-8000-000000000006'
const written = {
  name: 'Category sales',
  company_id: '01980000-0000-7000-8000-000000000002',
  dashboard_type: 'Supplier',
  dashboard_id: '0192c0de-0009-7000-8000-000000000001',
  domain_url: 'https://analytics.pillar.example',
} as const

const search = read({
  path: '/api/dashboard/admin/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Analytics dashboards, searched by name or company (`name` or `search_term`).',
  example: { page: 1, name: 'sales' },
  input: listInput(['name', 'company', 'dashboard_type', 'active', 'created_at'], {
    name: searchField,
    dashboard_type: type.nullish(),
    active: z.boolean().nullish(),
    /** Show removed ones instead. */
    removed: z.boolean().default(false),
  }),
  output: listOf(AdminDashboard),
})

const info = read({
  path: '/api/dashboard/admin/{id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One analytics dashboard.',
  example: { id: DASHBOARD },
  input: z.object({ id }),
  output: AdminDashboard,
})

const options = read({
  path: '/api/dashboard/admin/options',
  needs: 'sr_login',
  reach: 'platform',
  about: 'The hosts a dashboard may be on, and the domain URL a new one starts with.',
  example: {},
  input: z.object({}),
  output: z.object({ hosts: z.array(z.string()), domain_url: z.string() }),
})

const stale = () => [search, info]

/** Analytics dashboards in the support console. */
export const dashboard = {
  search,
  info,
  options,
  create: write({
    path: '/api/dashboard/admin/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Gives a company an analytics dashboard.',
    example: written,
    input: z.object({
      name: z.string().max(DASHBOARD_NAME_LIMIT).default(''),
      company_id: z.uuid().nullish(),
      dashboard_type: type.nullish(),
      /** A uuid; validated with the other fields so that one sentence names everything wrong. */
      dashboard_id: z.string().max(100).default(''),
      domain_url: z.string().max(300).default(''),
      active: z.boolean().default(true),
      production: z.boolean().nullable().default(true),
      products: z.array(z.string().max(200)).max(200).default([]),
    }),
    output: z.object({ id }),
  }),
  edit: write({
    path: '/api/dashboard/admin/{id}/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: ({ name, active }) => (name === undefined && active !== undefined ? activity(active) : 'save'),
    refreshes: stale,
    about:
      'Changes an analytics dashboard; fields left out stay unchanged. With `active` alone it is activated or deactivated.',
    example: { id: DASHBOARD, ...written, version: 1 },
    input: z.object({
      id,
      name: z.string().max(DASHBOARD_NAME_LIMIT).optional(),
      company_id: z.uuid().nullish(),
      dashboard_type: type.nullish(),
      dashboard_id: z.string().max(100).optional(),
      domain_url: z.string().max(300).optional(),
      active: z.boolean().optional(),
      production: z.boolean().nullish(),
      products: z.array(z.string().max(200)).max(200).optional(),
      version: z.number().int().nullish(),
    }),
    output: z.object({ id, version: z.number() }),
  }),
  remove: write({
    path: '/api/dashboard/admin/{id}',
    method: 'DELETE',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'delete',
    refreshes: stale,
    about: 'Removes an analytics dashboard. It can be restored for 30 days.',
    example: { id: DASHBOARD },
    input: z.object({ id }),
    output: z.object({ removed: z.literal(true) }),
  }),
  restore: write({
    path: '/api/dashboard/admin/{id}/restore',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: stale,
    about: 'Restores an analytics dashboard removed within the last 30 days.',
    example: { id: DASHBOARD },
    input: z.object({ id }),
    output: z.object({ restored: z.literal(true) }),
  }),
}

const activity = (active: boolean) => (active ? 'activate' : 'deactivate')
