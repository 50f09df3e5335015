import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatDay } from '@pillar/domain/time/day'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Services } from '../../src/api/context.ts'
import { v7 } from '../../src/api/uuid.ts'
import { inScope } from '../../src/db/scope.ts'
import { refreshFacts } from '../../src/features/cohort/cohort.jobs.ts'
import { createLocation, ensureCompany } from '../../src/features/location/location.queries.ts'
import { refreshSixtyDay } from '../../src/features/sixty-day/sixty-day.jobs.ts'
import { uploadedLocation } from '../../src/features/upload/after-upload.queries.ts'
import type { ClaimedUpload } from '../../src/features/upload/claim.queries.ts'
import { loadUploadFiles } from '../../src/features/upload/load/load.ts'
import type { Findings } from '../../src/features/upload/read/fault.ts'
import { makeFolder, uploadFolder } from '../../src/gateways/file/folder-store.ts'
import { csvOf, type Piece, piecesOf, WORLD_END, wholeOf, worldSizes } from './upload-world.ts'

/**
 * Checks over invented records that everything stored after several uploads equals what one upload of the latest version of each record
 * stores.
 */
export async function holdOneTruth(services: Services, of: { initials: boolean; runs: number }): Promise<void> {
  const companies = ['In Pieces', 'Whole'].map((name) => ensureCompany(services.pools.system, { name, country: 'AU' }))
  const [inPieces, whole] = (await Promise.all(companies)).map(({ id }) => id) as [number, number]
  await fc.assert(
    fc.asyncProperty(worldSizes(of.initials), async (size) => {
      const pieces = piecesOf(size)
      const stored = await truthOf(services, inPieces, pieces)
      const once = await truthOf(services, whole, [wholeOf(pieces)])
      // Texts are cheap to compare; only differing ones are parsed.
      if (stored !== once) expect(rowsOnlyIn(stored, once)).toEqual(rowsOnlyIn(once, stored))
    }),
    { numRuns: of.runs },
  )
}

/** Rows in the first of two answers of `storedQuery` but not in the second, by set. */
export function rowsOnlyIn(first: string, second: string): Record<string, unknown[]> {
  const [one, other] = [first, second].map((text) => JSON.parse(text) as Record<string, unknown[]>)
  const sets = Object.entries(one!).map(([set, rows]) => {
    const known = new Set(other![set]!.map((row) => JSON.stringify(row)))
    return [set, rows.filter((row) => !known.has(JSON.stringify(row)))] as const
  })
  return Object.fromEntries(sets.filter(([, rows]) => rows.length > 0))
}

let made = 0

/** How an upload is written: as files of a source, by name. */
export interface Written {
  source: string
  files: (piece: Piece) => Record<string, string>
}

const CANONICAL: Written = {
  source: 'canonical',
  files: ({ files }) => Object.fromEntries(Object.entries(files).map(([name, file]) => [name, csvOf(file)])),
}

/**
 * Loads uploads one after the other into a new pharmacy, without HTTP and the queue, and returns everything stored for it, with records
 * named by their source's ids.
 * @throws if an upload has a faulty row
 */
export async function truthOf(
  server: Services,
  companyId: number,
  pieces: readonly Piece[],
  written = CANONICAL,
): Promise<string> {
  const services = { ...server, now: () => new Date(`${formatDay(WORLD_END)}T02:00:00Z`) }
  const { id } = await createLocation(services.pools.system, {
    companyId,
    name: `Pharmacy ${made++}`,
    country: 'AU',
    time_zone: 'Australia/Sydney',
  })
  for (const piece of pieces) await loadPiece(services, { companyId, locationId: id }, piece, written)
  return inScope(services.pools.app, { companyId, locationIds: [id] }, async (tx) => {
    const location = await uploadedLocation(tx, id)
    if (location?.dataTo) await refreshFacts(tx, { id, country: 'AU', dataTo: location.dataTo })
    await refreshSixtyDay(tx, { id, country: 'AU' }, services)
    return (await storedQuery(id).execute(tx)).rows[0]?.stored ?? ''
  })
}

/** Loads one upload into a pharmacy, without HTTP and the queue. @throws if it has a faulty row */
export async function loadPiece(
  services: Services,
  of: { companyId: number; locationId: number },
  piece: Piece,
  written = CANONICAL,
): Promise<void> {
  const { source } = written
  const uuid = v7()
  const folder = uploadFolder(services.env.DATA_DIR, of.locationId, uuid)
  await makeFolder(folder)
  const { system } = services.pools
  const { id } = await system
    .insertInto('upload')
    .values({ uuid, location_id: of.locationId, etl_state: 'PROCESSING', data_source: source, attempts: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const files = Object.entries(written.files(piece)).map(([name, text]) => ({ name, path: join(folder, name), text }))
  await Promise.all(files.map(({ path, text }) => writeFile(path, text)))
  await inScope(services.pools.app, { companyId: of.companyId, locationIds: [of.locationId] }, async (tx) => {
    const rows = files.map(({ name, path, text }) => ({
      ...{ upload_id: id, location_id: of.locationId, file_type: name, file_path: path },
      ...{ bytes: text.length, sha256: Buffer.alloc(32) },
    }))
    if (rows.length > 0) await tx.insertInto('upload_file').values(rows).execute()
  })
  const claim: ClaimedUpload = {
    ...{
      id,
      uuid,
      ...of,
      country: 'AU',
      timeZone: 'Australia/Sydney',
      earlierZones: [],
      source,
      shiftDays: 0,
      attempt: 1,
    },
    ...{ initial: piece.initial, coversFrom: piece.from, coversTo: piece.to, forced: true, trace: null },
  }
  const findings: Findings = { faults: [], counts: new Map(), notes: [] }
  await loadUploadFiles(services, claim, findings)
  if (findings.faults.length > 0) throw new Error(`faulty rows: ${JSON.stringify(findings.faults.slice(0, 3))}`)
  await rm(folder, { recursive: true })
}

/** Rows of a query without columns that only identify the row, in a fixed order. */
const all = (query: ReturnType<typeof sql>) =>
  sql`(select coalesce(jsonb_agg(q.x order by q.x::text collate "C"), '[]') from (${query}) q(x))`

const storedQuery = (id: number) => sql<{ stored: string }>`
  with r as materialized (select * from prescription where location_id = ${id}),
  s as materialized (select * from script where location_id = ${id})
  select jsonb_build_object(
    'location', ${all(sql`select jsonb_build_object('from', data_from, 'to', data_to) from location where id = ${id}`)},
    'cells', ${all(sql`select to_jsonb(c) - 'location_id' from metric_cell c where location_id = ${id}`)},
    'sixty_day', ${all(sql`select to_jsonb(c) - 'location_id' from sixty_day_cell c where location_id = ${id}`)},
    'sixty_day_base', ${all(sql`select to_jsonb(b) - '{location_id,computed_at,upload_at}'::text[] from sixty_day_base b where location_id = ${id}`)},
    'totals', ${all(sql`select to_jsonb(t) - 'location_id' from metric_total t where location_id = ${id}`)},
    'figures', ${all(sql`select to_jsonb(f) - 'location_id' from metric_figure f where location_id = ${id}`)},
    'persistence', ${all(sql`select to_jsonb(p) - 'location_id' from metric_persistence p where location_id = ${id}`)},
    'patients', ${all(sql`
      select (to_jsonb(p) - '{id,location_id,updated_at,contact_source}'::text[]) || jsonb_build_object('measure', to_jsonb(m) - '{location_id,patient_id}'::text[])
      from patient p left join patient_measure m on m.location_id = p.location_id and m.patient_id = p.id where p.location_id = ${id}`)},
    'facts', ${all(sql`
      select (to_jsonb(f) - '{location_id,patient_id}'::text[]) || jsonb_build_object('patient', p.source_id,
        'drug_type_ids', (select array_agg(n order by n) from unnest(f.drug_type_ids) n),
        'molecule_ids', (select array_agg(n order by n) from unnest(f.molecule_ids) n))
      from patient_fact f join patient p on p.location_id = f.location_id and p.id = f.patient_id where f.location_id = ${id}`)},
    'drugs', ${all(sql`select to_jsonb(d) - '{id,location_id}'::text[] from drug d where location_id = ${id}`)},
    'prescriptions', ${all(sql`
      select (to_jsonb(r) - '{id,location_id}'::text[]) || jsonb_build_object('patient_id', p.source_id, 'drug_id', d.source_id, 'prescriber_id', b.source_id)
      from r join patient p on p.id = r.patient_id join drug d on d.id = r.drug_id left join prescriber b on b.id = r.prescriber_id`)},
    'scripts', ${all(sql`
      select (to_jsonb(s) - 'location_id') || jsonb_build_object('patient_id', p.source_id, 'drug_id', d.source_id,
        'prescriber_id', b.source_id, 'prescription_id', r.source_id)
      from s join patient p on p.id = s.patient_id join drug d on d.id = s.drug_id
      left join prescriber b on b.id = s.prescriber_id left join r on r.id = s.prescription_id`)})::text as stored`
