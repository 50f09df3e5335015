import type { PharmacyModule } from '@pillar/contract/company/company-admin'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'

export interface ModuleRow extends Omit<PharmacyModule, 'external_id'> {
  location_type: string
  needs_external_id: boolean
}

/** All modules a pharmacy may have, by name. */
export async function listModules(tx: Tx): Promise<(ModuleRow & { id: number })[]> {
  return tx
    .selectFrom('module')
    .select(['id', 'uuid', 'name', 'display_name', 'display_colour', 'location_type', 'needs_external_id'])
    .orderBy('display_name')
    .execute()
}

interface ModuleLink {
  id: number
  external_id: string | null
}

/** Switches on exactly these modules of a pharmacy. */
export async function setModules(
  tx: Tx,
  location: { id: number; company_id: number },
  modules: readonly ModuleLink[],
): Promise<void> {
  const ids = modules.map(({ id }) => id)
  await sql`delete from location_module where location_id = ${location.id} and module_id <> all(${ids}::bigint[])`.execute(
    tx,
  )
  for (const module of modules) await putModule(tx, location, module)
}

/** Switches on one module of a pharmacy, or changes the pharmacy's number in it. */
export async function putModule(
  tx: Tx,
  location: { id: number; company_id: number },
  module: ModuleLink,
): Promise<void> {
  const { external_id } = module
  await tx
    .insertInto('location_module')
    .values({ location_id: location.id, company_id: location.company_id, module_id: module.id, external_id })
    .onConflict((conflict) => conflict.columns(['location_id', 'module_id']).doUpdateSet({ external_id }))
    .execute()
}

/** Switches on Upload, the module whose missing and failed uploads support is told about. */
export async function watchUploads(tx: Tx | Database, location: { id: number; company_id: number }): Promise<void> {
  await tx
    .insertInto('location_module')
    .columns(['location_id', 'company_id', 'module_id'])
    .expression((eb) =>
      eb
        .selectFrom('module')
        .select([eb.val(location.id).as('location_id'), eb.val(location.company_id).as('company_id'), 'id'])
        .where('name', '=', 'strong_pro'),
    )
    .execute()
}

/** Switches off one module of a pharmacy. */
export async function takeModule(tx: Tx, locationId: number, moduleId: number): Promise<void> {
  await tx
    .deleteFrom('location_module')
    .where('location_id', '=', locationId)
    .where('module_id', '=', moduleId)
    .execute()
}
