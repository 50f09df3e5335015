import type { ShownScripts } from '@pillar/domain/average/average-part'
import type { MonthReach } from '@pillar/domain/board/reach'
import type { Category } from '@pillar/domain/dispensing/category'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import type { Brought, MonthFact, YearFacts } from './board-fact.ts'
import type { MonthParts, YearParts } from './publication.ts'

/** A group of a period that companies with dashboards have not seen yet. */
export interface Unshown {
  period: number
  group_no: number
  companies: number[]
}

/**
 * Groups whose pharmacies have all been counted, and the companies with an active dashboard to which they were not published. Only
 * companies that were shown the product average of the group: a board is divided so that, together with the average, it gives nobody away.
 */
export async function readUnshown(tx: Tx, country: Country): Promise<Unshown[]> {
  const { rows } = await sql<Unshown>`
    select g.period, g.group_no, array_agg(c.id order by c.id) as companies
    from (
      select m.period, m.group_no from average_member m
      left join board_fact f on f.location_id = m.location_id and f.period = m.period
      where m.country = ${country} group by m.period, m.group_no having count(*) = count(f.period)) g
    cross join company c
    where c.country = ${country} and c.removed_at is null
      and exists (select from dashboard d where d.company_id = c.id and d.active and d.removed_at is null)
      and exists (select from product_average a
        where a.company_id = c.id and a.period = g.period and a.category_id = 0 and a.subcategory_id = 0 and a.group_no = g.group_no)
      and not exists (select from board_publication p
        where p.company_id = c.id and p.period = g.period and p.group_no = g.group_no)
    group by g.period, g.group_no order by g.period, g.group_no`.execute(tx)
  return rows
}

/** The facts of every pharmacy of a group for a period: a month, or a financial year. */
export async function readFacts<F extends MonthFact[] | YearFacts>(
  tx: Tx,
  country: Country,
  { period, group_no }: Unshown,
): Promise<Brought<F>[]> {
  const { rows } = await sql<Brought<F>>`
    select * from board_facts(${country}, ${period}, ${group_no}::int)`.execute(tx)
  return rows
}

/** By a molecule's id: the names of its drug type and its own, and the subcategory in which the product average counts it. */
export interface MoleculeNames {
  molecules: Map<number, readonly [drugClass: string, molecule: string]>
  counted: Map<number, number>
}

/** Names of every molecule by its row's id, and the id under which it is counted. */
export async function readNames(tx: Tx): Promise<MoleculeNames> {
  const { rows } = await sql<{ id: number; name: string; class_name: string; counted: number }>`
    select m.id, m.name, s.name as class_name, m.molecule_id as counted
    from molecule m join subcategory s on s.id = m.drug_type_id`.execute(tx)
  return {
    molecules: new Map(rows.map((row) => [row.id, [row.class_name, row.name] as const])),
    counted: new Map(rows.map((row) => [row.id, row.counted])),
  }
}

/** The scripts that the product average of a group shows a company. */
export async function readAverageShown(
  tx: Tx,
  company: number,
  { period, group_no }: Pick<Unshown, 'period' | 'group_no'>,
): Promise<ShownScripts> {
  const { rows } = await sql<{ category_id: number; subcategory_id: number }>`
    select category_id, subcategory_id from product_average
    where company_id = ${company} and period = ${period} and group_no = ${group_no} and script_count is not null`.execute(
    tx,
  )
  const shown = (category: Category) =>
    new Set(rows.flatMap((row) => (row.category_id === categoryId(category) ? [row.subcategory_id] : [])))
  return { molecules: shown('Molecule'), drugTypes: shown('Drug Type'), conditions: shown('Condition') }
}

/** The products that a company's active dashboards call its own. */
export async function readProducts(tx: Tx, companyId: number): Promise<string[]> {
  const { rows } = await sql<{ product: string }>`
    select distinct unnest(products) as product from dashboard
    where company_id = ${companyId} and active and removed_at is null order by 1`.execute(tx)
  return rows.map((row) => row.product)
}

/** Stores for good what a group shows a company. */
export async function insertPublication(
  tx: Tx,
  company: number,
  { period, group_no }: Unshown,
  shown: { pharmacies: number; parts: MonthParts | YearParts; now: Date },
): Promise<void> {
  await sql`
    insert into board_publication (company_id, period, group_no, pharmacies, parts, published_at)
    values (${company}, ${period}, ${group_no}, ${shown.pharmacies}, ${JSON.stringify(shown.parts)}::jsonb, ${shown.now})`.execute(
    tx,
  )
}

export interface Publication {
  period: number
  group_no: number
  pharmacies: number
  parts: MonthParts | YearParts
}

/** Everything the company in scope has been shown, oldest first. */
export async function readPublications(tx: Tx, companyId: number): Promise<Publication[]> {
  const { rows } = await sql<Publication>`
    select period, group_no, pharmacies, parts from board_publication where company_id = ${companyId} order by period, group_no`.execute(
    tx,
  )
  return rows
}

/** The adherent shares of scripts at other companies' pharmacies, by month, as the product average shows them. */
export async function readClassAdherence(
  tx: Tx,
  companyId: number,
  category: number,
  drugClass: string,
): Promise<{ period: number; measured: number; adherent: number }[]> {
  const { rows } = await sql<{ period: number; measured: number; adherent: number }>`
    select p.period, sum(p.measured_scripts)::int as measured, sum(p.adherent_scripts)::int as adherent
    from product_average p join subcategory s on s.id = p.subcategory_id and s.category_id = ${category} and s.name = ${drugClass}
    where p.company_id = ${companyId} and p.category_id = ${category} and p.period % 100 between 1 and 12 and p.measured_scripts > 0
    group by p.period order by p.period`.execute(tx)
  return rows
}

/** What the company's own pharmacies in scope sent, by month, and how many of them reached anybody, in all and by channel. */
export async function readReach(tx: Tx): Promise<(MonthReach & { period: number })[]> {
  const { rows } = await sql<MonthReach & { period: number }>`
    select period, sum(sms)::int as sms, sum(email)::int as email, sum(reach)::int as reach,
      sum(sms_people)::int as sms_people, sum(email_people)::int as email_people,
      (count(*) filter (where reach > 0))::int as pharmacies, (count(*) filter (where sms > 0))::int as sms_pharmacies,
      (count(*) filter (where email > 0))::int as email_pharmacies
    from message_stat where period % 100 between 1 and 12 group by period order by period`.execute(tx)
  return rows
}

/** A dashboard of the company in scope, as its people see it. */
export interface OwnDashboard {
  id: string
  dashboard_id: string
  name: string
  dashboard_type: 'Supplier' | 'Advertiser' | 'Industry Dashboard'
  domain_url: string
  products: string[]
}

/** The company's dashboards that are not removed, by type and name. */
export async function readDashboards(tx: Tx, companyId: number, active: boolean): Promise<OwnDashboard[]> {
  const { rows } = await sql<OwnDashboard>`
    select uuid as id, dashboard_id, name, dashboard_type, domain_url, products from dashboard
    where company_id = ${companyId} and removed_at is null and active = ${active} 
    order by array_position(array['Supplier', 'Advertiser', 'Industry Dashboard'], dashboard_type), lower(name), id`.execute(
    tx,
  )
  return rows
}

/** The holder of a live session: their company, pharmacies and flags; null once they have signed out or their login was disabled. */
export async function findGuest(system: Database, sessionId: string) {
  const { rows } = await sql<{
    company_id: number
    country: Country
    supplier_analytics: boolean
    ad_analytics: boolean
    location_ids: number[]
  }>`
    select l.company_id, c.country, l.supplier_analytics, l.ad_analytics,
      array(select id from location where company_id = l.company_id and removed_at is null order by id) as location_ids
    from session s join login l on l.id = s.login_id join company c on c.id = l.company_id
    where s.id = ${sessionId} and s.ended_at is null and l.disabled_at is null`.execute(system)
  return rows[0] ?? null
}
