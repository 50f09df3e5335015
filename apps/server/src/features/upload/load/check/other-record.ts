import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { isCopiedRecord, isOtherRecord } from '@pillar/domain/upload/upload-state'
import type { Database, Tx } from '../../../../db/database.ts'
import { mostShared } from '../../../person/people.queries.ts'
import type { ClaimedUpload } from '../../claim.queries.ts'
import { type Findings, UploadFault } from '../../read/fault.ts'
import { placeOf } from '../../read/sources.ts'
import { type Compared, compareDrugs, compareEntries, comparePatients, compareScripts } from './other-record.queries.ts'

/**
 * Refuses patients of whom many are somebody else than stored under their id, as when another pharmacy's files come with this one's key, or a
 * dispensing system numbers its patients anew: strangers would get one another's medicines, consent and messages. Before anything is merged.
 * Support can skip this.
 * @throws UploadFault
 */
export async function checkSamePatients(tx: Tx, claim: ClaimedUpload, findings: Findings): Promise<void> {
  const compared = await comparePatients(tx, claim)
  if (!claim.forced) refuseOther(claim, 'patients', 'are other people', compared)
  if (compared.other > 0)
    findings.notes.push(
      `Patients with another date of birth and other names than stored under their id: ${compared.other}. If they are other people, give them ids of their own: what was dispensed and agreed to stays with an id.`,
    )
}

/** The same for drugs: everybody who ever got one would be taking the other. */
export async function checkSameDrugs(tx: Tx, claim: ClaimedUpload, findings: Findings): Promise<void> {
  const compared = await compareDrugs(tx, claim)
  if (!claim.forced) refuseOther(claim, 'drugs', 'are other medicines', compared)
  if (compared.other > 0)
    findings.notes.push(
      `Drugs that are other medicines than stored under their id: ${compared.other}. All their scripts, also earlier ones, now count as the new medicine. If that is wrong, give new products ids of their own.`,
    )
}

/** The same for scripts of other patients and days: their ids were given again, and history would be overwritten. Once they are merged. */
export async function checkSameScripts(tx: Tx, claim: ClaimedUpload, findings: Findings): Promise<void> {
  const compared = await compareScripts(tx)
  if (!claim.forced) refuseOther(claim, 'scripts', 'are of other patients and days', compared)
  if (compared.other > 0)
    findings.notes.push(
      `Scripts of another patient and day than stored under their id: ${compared.other}. They replaced those stored. If those were dispensed too, send both under ids of their own.`,
    )
}

/** The same for entries of a register: nothing in it can be taken back. Once they are merged, if any contradict stored ones. */
export async function checkSameRegister(tx: Tx, claim: ClaimedUpload): Promise<void> {
  if (!claim.forced)
    refuseOther(claim, 's8_transactions', 'are of other products and days', await compareEntries(tx, claim))
}

/**
 * Refuses the first scripts of a pharmacy if its patients are another pharmacy's of the company, as when that one's settings were copied: every
 * script would count twice. Once the people are up to date. Support can skip this.
 * @throws UploadFault
 */
export async function checkOwnPeople(tx: Tx, claim: ClaimedUpload, system: Database): Promise<void> {
  if (claim.forced) return
  const most = await mostShared(tx, system, claim)
  if (!most || !isCopiedRecord(most.shared, most.recognisable)) return
  throw new UploadFault(
    `${most.shared} of the ${most.recognisable} patients who can be recognised by name, birth and contact are also patients of ${most.pharmacy}. These files are probably that pharmacy’s: every script would count twice. Nothing was changed. Check the key and the folder from which they were sent. If the files are right, ask support to override this check.`,
  )
}

const ID = {
  patients: 'patient_id',
  drugs: 'drug_id',
  scripts: 'script_id',
  s8_transactions: 'transaction_id',
} as const

function refuseOther(claim: ClaimedUpload, set: keyof typeof ID, what: string, { known, other }: Compared): void {
  if (!isOtherRecord(other, known)) return
  const { file, column } = placeOf(claim.source, set, ID[set])
  throw new UploadFault(
    `${fileNameOf(file)}: of ${known} rows whose ${column} is stored, ${other} ${what}. Either these files are another pharmacy’s, or ids were given anew. Nothing was changed. Check the key with which they were sent; an id must stay the same and never be given again. If the files are right, ask support to override this check.`,
  )
}
