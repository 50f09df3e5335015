import { DEMO_BRANDS } from '@pillar/demo/medicine/products'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

const DASHBOARDS = [
  ['0192d3b0-0009-7000-8000-000000000001', 'Category sales', 'Supplier', true],
  ['0192d3b0-0009-7000-8000-000000000002', 'Screen campaigns', 'Advertiser', true],
  ['0192d3b0-0009-7000-8000-000000000003', 'Industry benchmarks', 'Industry Dashboard', true],
  ['0192d3b0-0009-7000-8000-000000000004', 'Pilot of 2025', 'Industry Dashboard', false],
] as const

/** Gives a demo company analytics dashboards on the first allowed host. May run again: anything changed or removed since stays that way. */
export async function addDemoDashboards(
  staff: Database,
  company: { id: number },
  host: string | undefined,
  now: Date,
): Promise<void> {
  if (!host) return
  for (const [uuid, name, type, active] of DASHBOARDS) {
    await sql`
      insert into dashboard (uuid, company_id, dashboard_id, name, dashboard_type, domain_url, active, production, products, created_at)
      values (${uuid}, ${company.id}, ${uuid.replace('-0009-', '-0019-')}, ${name}, ${type}, ${`https://${host}`}, ${active}, ${active}, ${type === 'Supplier' ? [...DEMO_BRANDS] : []}::text[], ${now})
      on conflict do nothing`.execute(staff)
  }
}
