import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { isUnrecognised } from '@pillar/domain/upload/upload-state'
import type { Tx } from '../../../../db/database.ts'
import { rowName } from '../../../../db/field/columns.ts'
import type { Keys } from '../../../../db/field/key-ring.ts'
import { keysOfStaged, type StagedIdentity } from '../../../person/person-key.queries.ts'
import type { ClaimedUpload } from '../../claim.queries.ts'
import { type Findings, UploadFault } from '../../read/fault.ts'
import { placeOf } from '../../read/sources.ts'
import { hasRows } from '../load.queries.ts'
import {
  type Adoption,
  countOthers,
  hasOthers,
  numbersBefore,
  patientsWithKeys,
  putSealed,
  SEALED_WITH_NUMBER,
  sealedOf,
  takeNumbers,
  unknownPatients,
} from './adopt.queries.ts'

/**
 * After a pharmacy has replaced its dispensing system, its patients come with new numbers. Those who are one person with exactly one patient of
 * the former system, as for people of several pharmacies (decision 050), keep their record: otherwise everybody would be new, would have
 * stopped everything at the former number, and had never agreed to or refused any message. Before anything is merged. Refuses the first
 * patients of a system if hardly any are recognised; support can skip this.
 * @param present the columns of the file of patients
 */
export async function adoptPatients(
  tx: Tx,
  { secret, keys }: { secret: Buffer; keys: Keys },
  claim: ClaimedUpload,
  present: ReadonlySet<string>,
  findings: Findings,
): Promise<void> {
  if (!(await hasOthers(tx, claim))) return
  const before = await numbersBefore(tx, claim)
  if (before.length > 0) await adopt(tx, keys, claim, before, present)
  const staged = await unknownPatients(tx, claim)
  const found = await recognised(tx, secret, claim, staged)
  if (!claim.forced && before.length === 0 && !(await hasRows(tx, claim, 'patient'))) {
    const others = await countOthers(tx, claim)
    if (isUnrecognised(found.length, Math.min(staged.length, others)))
      refuseStrangers(claim, found.length, staged.length)
  }
  if (found.length === 0) return
  await adopt(tx, keys, claim, found, present)
  findings.notes.push(
    `Patients who were recognised from another dispensing system and keep their record: ${found.length}.`,
  )
}

/** Renames records, and seals for the new number what the file does not bring. An altered value stays one. */
async function adopt(
  tx: Tx,
  keys: Keys,
  claim: ClaimedUpload,
  adoptions: readonly Adoption[],
  present: ReadonlySet<string>,
): Promise<void> {
  const { locationId } = claim
  const numbers = new Map(adoptions.map(({ patientId, number }) => [patientId, number]))
  for (const column of SEALED_WITH_NUMBER.filter((name) => !present.has(name))) {
    const name = `patient.${column}` as const
    const seal = await keys.sealer(name)
    const anew: { patientId: number; sealed: Buffer }[] = []
    for (const { patientId, source, number, sealed } of await sealedOf(tx, claim, column, adoptions)) {
      const text = await keys.openIfWhole(name, rowName(locationId, source, number), sealed)
      if (text !== null)
        anew.push({ patientId, sealed: seal(rowName(locationId, claim.source, numbers.get(patientId)!), text) })
    }
    await putSealed(tx, claim, column, anew)
  }
  await takeNumbers(tx, claim, adoptions)
}

/** @throws UploadFault that says who was not recognised, and by what people are */
function refuseStrangers(claim: ClaimedUpload, found: number, staged: number): never {
  const { file } = placeOf(claim.source, 'patients', 'patient_id')
  throw new UploadFault(
    `${fileNameOf(file)}: of ${staged} patients, ${found} were recognised from the pharmacy’s other dispensing system, by name, date of birth, sex, and a phone number or the postcode. After a change of system everybody else would become a second patient, without history and without what they agreed to or refused. Nothing was changed. Send these columns. If they really are other people, ask support to override this check.`,
  )
}

async function recognised(
  tx: Tx,
  secret: Buffer,
  claim: ClaimedUpload,
  unknown: readonly StagedIdentity[],
): Promise<Adoption[]> {
  const staged = await keysOfStaged(secret, claim.companyId, unknown)
  if (staged.length === 0) return []
  const holders = Map.groupBy(
    await patientsWithKeys(tx, claim, [...new Set(staged.map(({ key }) => key))]),
    (one) => one.key,
  )
  const pairs = staged.flatMap(({ number, key }) =>
    (holders.get(key) ?? []).map(({ patientId }) => ({ number, patientId })),
  )
  const patientsOf = Map.groupBy(pairs, (pair) => pair.number)
  const numbersOf = Map.groupBy(pairs, (pair) => pair.patientId)
  const distinct = <T>(values: readonly T[]) => new Set(values).size
  // Of two records of one system nobody can tell which continues which.
  return [...patientsOf].flatMap(([number, own]) => {
    const { patientId } = own[0]!
    const alone =
      distinct(own.map((pair) => pair.patientId)) === 1 &&
      distinct(numbersOf.get(patientId)!.map((pair) => pair.number)) === 1
    return alone ? [{ number, patientId }] : []
  })
}
