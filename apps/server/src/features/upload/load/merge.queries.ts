import type { UploadSet } from '@pillar/domain/upload/upload-format'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { keepFacts } from '../../cohort/fact/still-true.queries.ts'
import { keepSums } from '../../sixty-day/still-true.queries.ts'
import type { ClaimedUpload } from '../claim.queries.ts'
import { addFault, countOf, type Findings } from '../read/fault.ts'
import { placeOf, sourceOf } from '../read/sources.ts'
import { keepFormerFacts } from './adopt/former-facts.queries.ts'
import {
  forgetImpossibleBirths,
  noteAccount,
  notePatients,
  notePrescriptions,
  noteScripts,
} from './check/contradiction.queries.ts'
import { checkSameScripts } from './check/other-record.ts'
import { recordLoad } from './data-range.queries.ts'
import { deriveAgain, drugPacks, markSixtyDay, type Restated, resolvePrescriptions } from './derive.queries.ts'
import {
  type Cessations,
  changedCessations,
  createIdMap,
  earliestDeath,
  keepDeathDates,
  type Merged,
  markUnknown,
  mergeSet,
  type Target,
} from './load.queries.ts'
import { takeNamedNotes } from './named-note.queries.ts'
import { removePrescriptions, removeScripts, removeUnknown } from './removed.queries.ts'
import {
  createPrescriptionMap,
  lonelyFirst,
  mergeScripts,
  mergeStock,
  refreshPatientTypes,
  type ScriptsMerged,
} from './script.queries.ts'
import type { Staged } from './stage.ts'
import { createTouched, earliestTouched, touchedDays, touchedPatients } from './touched.queries.ts'

type Columns = Map<string, RawBuilder<unknown>>

export interface LoadResult {
  /** Last day of the pharmacy's data, ISO. */
  dataTo: string
  /** Earliest day whose figures may change, ISO; null for all. */
  changedFrom: string | null
  /** Ids of the patients of every script added, changed or deleted; null for all. */
  touched: readonly number[] | null
}

/** Stored and staged column where the names differ or the column is required. */
const FLAGS = new Set(['facility', 'sms_opt_out', 'email_opt_out', 'outside'])

function plainColumns(present: ReadonlySet<string>, skip: readonly string[]): Columns {
  const columns: Columns = new Map()
  for (const name of present) {
    if (skip.includes(name)) continue
    columns.set(name, FLAGS.has(name) ? sql`coalesce(${sql.ref(`s.${name}`)}, false)` : sql.ref(`s.${name}`))
  }
  return columns
}

/**
 * Merges everything staged into the pharmacy's record, referenced sets first. Rows with unknown references
 * become faulty rows.
 */
export async function mergeAll(
  tx: Tx,
  claim: ClaimedUpload,
  staged: Staged,
  findings: Findings,
  today: string,
): Promise<LoadResult> {
  const target: Target = { locationId: claim.locationId, source: claim.source }
  await createTouched(tx)
  const merged = await mergeReferenced(tx, target, staged, findings, today)
  const scripts = staged.has('scripts') ? await loadScripts(tx, claim, target, findings) : null
  if (staged.has('stock')) {
    await refuseUnknown(tx, target, 'stock', ['drug'], findings)
    await mergeStock(tx, target)
  }
  for (const [file, count] of findings.counts) countOf(findings, file).loaded = count.rows - count.faulty
  const derived = scripts?.first ? 0 : await deriveAgain(tx, target, merged.restated)
  if (derived > 0) findings.notes.push(`Stored scripts derived again: ${derived}.`)
  const touched = scripts?.first ? null : await touchedPatients(tx)
  const everything = merged.recomputeAll || touched === null
  if (!everything) {
    await keepSums(tx, target.locationId, (await touchedDays(tx)).from)
    await keepFacts(tx, target.locationId, [...touched, ...merged.ceased])
  }
  const { dataFrom, dataTo } = await recordLoad(tx, claim, today, touched)
  const lonely = scripts && dataFrom ? await lonelyFirst(tx, target.locationId, dataFrom) : null
  if (lonely)
    findings.notes.push(
      `The first script of this record is dated ${lonely.day}, ${lonely.days} days before the next: check its date.`,
    )
  if (everything) return { dataTo, changedFrom: null, touched: null }
  const days = [...merged.moved, await earliestTouched(tx, target.locationId, touched), dataTo]
  const earliest = days.filter((day) => day !== null).sort()[0]
  return { dataTo, changedFrom: earliest ?? dataTo, touched }
}

/** The effect of merging everything scripts refer to. */
interface ReferencedMerged {
  recomputeAll: boolean
  restated: Restated
  /** Days from which a change of patients or prescriptions can change a figure. */
  moved: (string | null)[]
  /** Patients whose prescriptions end on another day than before. */
  ceased: readonly number[]
}

/** Merges drugs, patients, prescribers and prescriptions, and creates their id maps. */
async function mergeReferenced(
  tx: Tx,
  target: Target,
  staged: Staged,
  findings: Findings,
  today: string,
): Promise<ReferencedMerged> {
  const sets = (['drugs', 'patients', 'prescribers', 'prescriptions'] as const).map((set) => staged.get(set))
  const [drugs, ofFile, prescribers, prescriptions] = sets
  const ofDrugs = drugs && (await mergeDrugs(tx, target, drugs))
  const relisted = await markSixtyDay(tx, target)
  const patients = ofFile && (await takeNamedNotes(tx, target, ofFile, findings, today))
  if (patients) await keepDeathDates(tx, target)
  const dead = patients ? await keepFormerFacts(tx, target, patients) : 0
  if (dead > 0)
    findings.notes.push(
      `Patients without a day of death who died according to the pharmacy’s other dispensing system: ${dead}. They still count as dead.`,
    )
  if (patients?.has('date_of_birth')) await forgetImpossibleBirths(tx, target, findings, today)
  const died = patients?.has('deceased_on') ? await earliestDeath(tx, target) : null
  const weighty = ['sex', 'date_of_birth', 'facility']
  const ofPatients = patients && (await mergeSet(tx, target, 'patients', patientColumns(patients), { weighty }))
  if (prescribers) await mergeSet(tx, target, 'prescribers', plainColumns(prescribers, ['prescriber_id']), {})
  await createIdMap(tx, target, 'patient', sql`, date_of_birth, deceased_on`)
  if (patients) await notePatients(tx, target, findings)
  await createIdMap(tx, target, 'drug', sql`${drugPacks}, molecule_id`)
  await createIdMap(tx, target, 'prescriber')
  if (prescribers) await resolvePrescriptions(tx, target)
  const ofPrescriptions = prescriptions && (await mergePrescriptions(tx, target, prescriptions, findings))
  const removed = prescriptions ? await removePrescriptions(tx, target) : 0
  if (removed > 0)
    findings.notes.push(
      `Prescriptions deleted because a newer version of their request is not a prescription: ${removed}.`,
    )
  if (prescriptions) await notePrescriptions(tx, target, findings)
  return {
    recomputeAll: [ofDrugs, ofPatients, ofPrescriptions].some((one) => one?.recomputeAll),
    restated: {
      arrived: prescriptions !== undefined || prescribers !== undefined,
      drugs: [...(ofDrugs?.restated ?? []), ...relisted],
      prescriptions: ofPrescriptions?.restated ?? [],
    },
    moved: [died, ofPrescriptions?.ceased.from ?? null],
    ceased: ofPrescriptions?.ceased.patients ?? [],
  }
}

/** Addresses arrive sealed; one that an older version stored plain is removed. The same holds for contacts, once an installation seals them. */
function patientColumns(present: ReadonlySet<string>): Columns {
  const columns = plainColumns(present, ['patient_id', 'address', 'mobile', 'email'])
  if (present.has('address')) columns.set('address_sealed', sql`s.address`).set('address', sql`null::text`)
  for (const name of ['mobile', 'email']) {
    if (!present.has(name)) continue
    const sealed = sql.ref(`s.${name}_sealed`)
    columns.set(`${name}_sealed`, sealed)
    columns.set(name, sql`case when ${sealed} is null then ${sql.ref(`s.${name}`)} end`)
  }
  return columns
}

/** The values sent for a drug are stored beside those derived from them, so that a file without a column removes nothing. */
async function mergeDrugs(tx: Tx, target: Target, present: ReadonlySet<string>): Promise<Merged> {
  const columns = plainColumns(present, ['drug_id', 'molecule', 'chronic'])
  if (present.has('molecule')) columns.set('ingredients', sql`s.molecule`)
  if (present.has('chronic')) columns.set('chronic_sent', sql`s.chronic`)
  columns.set('molecule_id', sql`m.id`)
  columns.set(
    'chronic',
    sql`coalesce(${sql.ref(present.has('chronic') ? 's.chronic' : 'k.chronic_sent')}, s.mol_chronic)`,
  )
  const joins = sql`join molecule m on m.key = s.mol_key
    left join drug k on k.location_id = ${target.locationId} and k.source = ${target.source} and k.source_id = s.drug_id`
  const watched = { weighty: ['molecule_id', 'chronic', 'pbs_code'], restating: ['default_days', 'pack_size'] }
  return mergeSet(tx, target, 'drugs', columns, watched, joins)
}

async function mergePrescriptions(
  tx: Tx,
  target: Target,
  present: ReadonlySet<string>,
  findings: Findings,
): Promise<Merged & { ceased: Cessations }> {
  await refuseUnknown(tx, target, 'prescriptions', ['patient', 'drug'], findings)
  const columns = plainColumns(present, ['prescription_id', 'patient_id', 'drug_id', 'prescriber_id'])
  columns.set('patient_id', sql`p.id`)
  columns.set('drug_id', sql`d.id`)
  if (present.has('prescriber_id')) {
    columns.set('prescriber_id', sql`b.id`)
    columns.set('prescriber_ref', sql`case when b.id is null then s.prescriber_id end`)
  }
  const joins = sql`join map_patient p on p.source_id = s.patient_id join map_drug d on d.source_id = s.drug_id
    left join map_prescriber b on b.source_id = s.prescriber_id`
  const ceased = await changedCessations(tx, target, present.has('ceased_on'))
  const watched = { weighty: ['prescribed_on', 'repeats_authorised'], restating: ['repeats_authorised'] }
  const merged = await mergeSet(tx, target, 'prescriptions', columns, watched, joins)
  return { ...merged, ceased }
}

async function loadScripts(tx: Tx, claim: ClaimedUpload, target: Target, findings: Findings): Promise<ScriptsMerged> {
  const unusable = sourceOf(target.source)?.versions ? await removeUnknown(tx, target) : 0
  if (unusable > 0)
    findings.notes.push(
      `Dispenses that are not supplies and name a patient or medicine that is neither in this upload nor stored: ${unusable}; any supply stored under the same id was deleted.`,
    )
  await refuseUnknown(tx, target, 'scripts', ['patient', 'drug'], findings)
  await createPrescriptionMap(tx, target)
  const unread = claim.initial ? (findings.unread ?? 0) : 0
  const replace = claim.initial && unread === 0 ? { from: claim.coversFrom, to: claim.coversTo } : null
  const merged = await mergeScripts(tx, target, replace)
  if (!merged.first) await checkSameScripts(tx, claim, findings)
  const removed = await removeScripts(tx, target)
  await refreshPatientTypes(tx, target, merged.first ? null : await touchedPatients(tx))
  findings.notes.push(
    `Scripts: ${merged.inserted} new, ${merged.changed} changed` +
      (replace ? `, ${merged.deleted} deleted that this initial upload no longer holds.` : '.'),
  )
  if (unread > 0)
    findings.notes.push(
      `None was deleted, although this is an initial upload: ${unread} ${unread === 1 ? 'line' : 'lines'} could not be read as far as ${unread === 1 ? 'its id' : 'their ids'}, so it is not known which scripts are missing. Correct the file and send it again.`,
    )
  if (removed > 0) findings.notes.push(`Scripts deleted because their source deleted them: ${removed}.`)
  await noteScripts(tx, target, findings)
  await noteAccount(tx, target, findings)
  return merged
}

/** Turns rows that name an unknown patient or drug into faulty rows. */
async function refuseUnknown(
  tx: Tx,
  target: Target,
  set: UploadSet,
  tables: readonly ('patient' | 'drug')[],
  findings: Findings,
): Promise<void> {
  for (const table of tables) {
    const { count, first } = await markUnknown(tx, target, set, `${table}_id`, table)
    const { file, column } = placeOf(target.source, set, `${table}_id`)
    const reason = `names a ${table} that is neither in this upload nor stored`
    for (const { line, value } of first) addFault(findings, { file, line, column, value, reason })
    countOf(findings, file).faulty += count - first.length
  }
}
