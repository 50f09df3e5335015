import { finished } from 'node:stream/promises'
import { type Day, formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { isRegisterSet, type UploadSet } from '@pillar/domain/upload/upload-format'
import { tooManyFaulty } from '@pillar/domain/upload/upload-state'
import { Kysely, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Services } from '../../../api/context.ts'
import { openPosition } from '../../../api/replica/position.queries.ts'
import type { Tx } from '../../../db/database.ts'
import { rowName, SEALED } from '../../../db/field/columns.ts'
import { writtenSealer } from '../../../db/field/written.ts'
import type { DB } from '../../../db/schema.generated.ts'
import { bindScope } from '../../../db/scope.ts'
import { traced } from '../../../gateways/telemetry/trace.ts'
import { TracedDialect } from '../../../gateways/telemetry/traced-dialect.ts'
import { importOptOuts } from '../../consent/import-opt-outs.queries.ts'
import { hideErased, markErased } from '../../erasure/erased-stage.queries.ts'
import { recomputeMetrics } from '../../metrics/metrics.queries.ts'
import { refreshPeople } from '../../person/people.queries.ts'
import type { LostKeys } from '../../person/person-key.queries.ts'
import { afterUpload } from '../after-upload.jobs.ts'
import { type ClaimedUpload, finishUpload, isInScope, lockForLoad } from '../claim.queries.ts'
import { NULL } from '../read/check.ts'
import { type Findings, UploadFault } from '../read/fault.ts'
import { parseFile } from '../read/parse.ts'
import { ofLength } from '../read/plain-file.ts'
import type { ParseInput, SealCell } from '../read/row.ts'
import type { Feed, SourceFile, SourceProfile } from '../read/source-profile.ts'
import { sourceOf } from '../read/sources.ts'
import { uploadFiles } from '../upload.queries.ts'
import { adoptPatients } from './adopt/adopt.ts'
import { checkDrop } from './check/drop-check.ts'
import { checkOwnPeople, checkSameDrugs, checkSamePatients } from './check/other-record.ts'
import { checkOtherSources } from './check/other-source.ts'
import { checkPriceScale } from './check/price-scale.ts'
import { beginLoad, copyStatement, createStage, settleStage, stagedSpan } from './load.queries.ts'
import { mergeAll } from './merge.queries.ts'
import { completeMolecules, ensureMolecules } from './molecule.queries.ts'
import { loadRegister } from './register.ts'
import { idColumn } from './stage.ts'
import { keepVersions, settleVersions } from './version.queries.ts'

/** Another worker took over this worker's claim: its work must not count. */
export class LostClaim extends Error {}

/** Loading order: referenced sets come first. */
const ORDER: readonly UploadSet[] = [
  'drugs',
  'patients',
  'prescribers',
  'prescriptions',
  'scripts',
  'stock',
  's8_products',
  's8_transactions',
  's8_status',
]

/**
 * Loads one claimed upload in one transaction: stage, check, merge, recompute the pharmacy's figures, COMPLETED. If anything fails, all of
 * it is rolled back.
 * @throws UploadFault if the files are at fault, LostClaim if another worker took over
 */
export async function loadUploadFiles(services: Services, claim: ClaimedUpload, findings: Findings): Promise<void> {
  const client = await services.pools.appPool.connect()
  let broken: Error | undefined
  try {
    await onOneConnection(client)
      .transaction()
      .execute((tx) => loadIn(tx, client, services, claim, findings))
  } catch (error) {
    // An interrupted COPY leaves the connection in an unknown state.
    if (!(error instanceof UploadFault)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

/** Kysely over one checked-out connection, so that COPY and queries share a transaction. */
function onOneConnection(client: pg.PoolClient): Kysely<DB> {
  const lent = { query: client.query.bind(client), release: () => {} } as unknown as PostgresPoolClient
  const pool = { connect: async () => lent, end: async () => {} } as unknown as PostgresPool
  return new Kysely<DB>({ dialect: new TracedDialect('app', { pool }) })
}

async function loadIn(
  tx: Tx,
  client: pg.PoolClient,
  services: Services,
  claim: ClaimedUpload,
  findings: Findings,
): Promise<void> {
  await beginLoad(tx)
  await bindScope(tx, { companyId: claim.companyId, locationIds: [claim.locationId] })
  await lockForLoad(tx, claim.locationId)
  // It moved to another company since it was claimed: the next claim finds it there.
  if (!(await isInScope(tx, claim.locationId))) throw new LostClaim(`the pharmacy of ${claim.uuid} has another company`)
  const source = sourceOf(claim.source)
  if (!source) throw new UploadFault(`The data source "${claim.source}" is not known.`)
  const today = dayIn(claim.timeZone, services.now())
  const { staged, scripts } = await stageFiles(tx, client, services, claim, { source, today, findings })
  const drugs = staged.get('drugs')
  if (drugs) {
    await completeMolecules(tx, claim, drugs)
    await ensureMolecules(tx, services.pools.app)
    await checkSameDrugs(tx, claim, findings)
  }
  const { hidden, lost } = await hideErased(tx, services.secret, claim, staged, services.now())
  await checkDrop(tx, claim, { findings, scripts, today })
  await checkOtherSources(tx, claim, scripts)
  const patients = staged.get('patients')
  if (patients) await adoptPatients(tx, services, claim, patients, findings)
  await checkPriceScale(tx, claim, scripts)
  if (patients) await checkSamePatients(tx, claim, findings)
  // A register alone says nothing about the dispensing record, and does not make it look fresh.
  const dispensing = [...staged.keys()].some((set) => !isRegisterSet(set))
  const merge = () => mergeAll(tx, claim, staged, findings, formatDay(today))
  const merged = dispensing ? await traced('merge', {}, merge) : null
  if (source.versions) for (const set of staged.keys()) await keepVersions(tx, claim, set)
  await loadRegister(tx, claim, staged, findings, services.now())
  await markErased(tx, claim, hidden, services.now())
  refuseFaulty(findings)
  if (merged) await traced('compute figures', {}, () => computeFigures(tx, services, claim, merged, lost))
  if (staged.has('patients')) await importOptOuts(tx, claim.locationId, services.now())
  const done = await finishUpload(tx, claim, {
    state: 'COMPLETED',
    notes: findings.notes.join(' '),
    counts: findings.counts,
    faults: findings.faults,
    span: findings.span ?? null,
  })
  if (!done) throw new LostClaim(`upload ${claim.uuid} was taken over`)
  await openPosition(tx, claim.companyId, claim.uuid)
  if (!dispensing) return
  const what = { location_id: claim.locationId, company_id: claim.companyId }
  await services.queue.send(tx, afterUpload, what, `location-${claim.locationId}`)
}

/** Reads the files received into staging tables, in loading order. @returns the columns of each set, and the name of the file with scripts */
async function stageFiles(
  tx: Tx,
  client: pg.PoolClient,
  services: Services,
  claim: ClaimedUpload,
  { source, today, findings }: { source: SourceProfile; today: Day; findings: Findings },
): Promise<{ staged: ReadonlyMap<UploadSet, ReadonlySet<string>>; scripts: string | null }> {
  const received = await uploadFiles(tx, claim.id)
  const feeds = feedsOf(source, received)
  const staged = new Map<UploadSet, ReadonlySet<string>>()
  const context = { today, shiftDays: claim.shiftDays, country: claim.country, timeZone: claim.timeZone }
  const seal = await cellSealer(services, claim)
  for (const set of new Set(feeds.map((one) => one.set))) {
    const inputs = feeds
      .filter((one) => one.set === set)
      .map(({ file, feed }) => {
        const { path, bytes } = received.get(file.name)!
        const open = ofLength(services.files.open(path), fileNameOf(file.name), bytes)
        return { open, source, file, feed, context, findings, ...(set === 'patients' ? { seal } : {}) }
      })
    staged.set(set, await traced('read files', { set }, () => stageSet(tx, client, { set, claim, inputs })))
    if (set === 'scripts') findings.span = await stagedSpan(tx)
  }
  return { staged, scripts: feeds.find(({ set }) => set === 'scripts')?.file.name ?? null }
}

/** Recomputes the figures of what was merged, and who is the same person. @param lost keys of records that became an erased person's */
async function computeFigures(
  tx: Tx,
  { secret, keys, pools, log }: Services,
  claim: ClaimedUpload,
  merged: NonNullable<Awaited<ReturnType<typeof mergeAll>>>,
  lost: LostKeys,
): Promise<void> {
  const place = { id: claim.locationId, country: claim.country, timeZone: claim.timeZone }
  const since = await recomputeMetrics(tx, place, merged, (what) => log.error({ location: claim.locationId }, what))
  await refreshPeople(tx, { secret, keys, system: pools.system }, claim, since, lost)
  if (merged.touched === null) await checkOwnPeople(tx, claim, pools.system)
}

/** Seals addresses and contacts of the pharmacy's patients as COPY text of a bytea; null for contacts that are stored plain. */
async function cellSealer({ keys }: Services, { locationId, source }: ClaimedUpload): Promise<SealCell> {
  const address = await keys.sealer(SEALED.patientAddress.name)
  const written = await writtenSealer(keys, locationId, source)
  return (column, id, value) => {
    const sealed = column === 'address' ? address(rowName(locationId, source, id), value) : written(column, id, value)
    return sealed === null ? NULL : `\\\\x${sealed.toString('hex')}`
  }
}

/** Reads the files of one set into its staging table and settles repeated ids. @returns their canonical columns */
async function stageSet(
  tx: Tx,
  client: pg.PoolClient,
  { set, claim, inputs }: { set: UploadSet; claim: ClaimedUpload; inputs: readonly ParseInput[] },
): Promise<ReadonlySet<string>> {
  await createStage(tx, set)
  const copy = client.query(copyFrom(copyStatement(set)))
  // A lost connection emits an error; without a listener it would end the process.
  copy.on('error', () => {})
  const columns = new Set<string>()
  let lineBase = 0
  try {
    for (const input of inputs) {
      const read = await parseFile({ ...input, lineBase }, copy)
      for (const column of read.columns) columns.add(column)
      lineBase += read.lines
    }
    copy.end()
    await finished(copy)
  } catch (error) {
    await abortCopy(copy)
    throw error
  }
  // Every row of a register's entries counts: one that repeats a number is evidence.
  if (set === 's8_transactions') return columns
  const [{ file, source, findings }] = inputs as [ParseInput]
  const older = source.versions ? await settleVersions(tx, claim, set) : 0
  const repeats = await settleStage(tx, set, idColumn(set))
  const name = fileNameOf(file.name)
  if (older > 0)
    findings.notes.push(`${name}: older versions left out: ${older}; the newest by meta.lastUpdated counts.`)
  if (repeats > 0 && !inputs.some((input) => input.feed.implied))
    findings.notes.push(`${repeats} rows of ${name} repeat an id; the last of each counts.`)
  return columns
}

/** The feeds of the files received, in loading order. */
function feedsOf(
  source: SourceProfile,
  received: ReadonlyMap<string, unknown>,
): { set: UploadSet; file: SourceFile; feed: Feed }[] {
  const feeds = source.files
    .filter((file) => received.has(file.name))
    .flatMap((file) => file.feeds.map((feed) => ({ set: feed.set, file, feed })))
  return feeds.sort((a, b) => ORDER.indexOf(a.set) - ORDER.indexOf(b.set))
}

/** Aborts a COPY and waits for the server's answer, so that the connection can roll back. */
async function abortCopy(copy: ReturnType<typeof copyFrom>): Promise<void> {
  copy.on('error', () => {})
  copy.destroy()
  await finished(copy).catch(() => {})
}

/** Refuses the upload if more than 1% of the rows of any file are faulty. */
function refuseFaulty(findings: Findings): void {
  const bad = [...findings.counts].filter(([, { faulty, rows }]) => tooManyFaulty(faulty, rows))
  if (bad.length === 0) return
  const parts = bad.map(
    ([file, { faulty, rows }]) =>
      `${faulty} of ${rows} rows of ${fileNameOf(file)} ${faulty === 1 ? 'is' : 'are'} faulty`,
  )
  throw new UploadFault(`${parts.join('; ')}. More than 1% is too many: nothing was changed.`)
}
