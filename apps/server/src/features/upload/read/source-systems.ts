import { UPLOAD_SOURCES, type UploadSource } from '@pillar/domain/upload/data-source'
import { columnsOf, UPLOAD_SETS, type UploadSet } from '@pillar/domain/upload/upload-format'
import type { Feed, SourceProfile } from './source-profile.ts'

type Aliases = Partial<Record<UploadSet, Record<string, readonly string[]>>>

/**
 * Column names from a published dictionary of Australian dispensing extracts. Its quantities are
 * packs, not units, so they are ignored: days' supply then comes from the directions or the drug.
 */
const DICTIONARY: Aliases = {
  patients: { sex: ['gender'] },
  drugs: {
    drug_id: ['masterproductid'],
    pbs_code: ['nhs_code'],
    name: ['masterproductfullname'],
    molecule: ['genericingredientname'],
    strength: ['strengthcode'],
    form: ['formcode'],
    pack_size: ['packsizenumber'],
    atc: ['atclevel5code'],
  },
  prescriptions: { repeats_authorised: ['repeatstotal_qty'], authority: ['streamlinedapproval_code'] },
  scripts: {
    dispensed_on: ['dispense_date', 'dispensed_date'],
    repeats_authorised: ['repeatstotal_qty'],
    repeats_left: ['repeatsleft_qty'],
    deferred: ['isdeferredscript'],
    patient_price: ['patientprice_amt'],
    government_amount: ['governmentreclaim_amt'],
    cost: ['wholesaleprice_amt'],
  },
}
const FRED: Aliases = {
  scripts: { patient_price: ['patient contribution'], government_amount: ['gov recov', 'government recovery'] },
}
const IGNORED = ['store_id', 'sourcesystem_code', 'script_qty', 'dispensed_qty', 'maxdispense_qty', 'prescription_week']

function feedOf(set: UploadSet, aliases: readonly Aliases[]): Feed {
  const columns = columnsOf(set).map(([column]) => {
    const names = aliases.flatMap((table) => table[set]?.[column] ?? [])
    return [column, [column, ...names]] as const
  })
  return { set, columns: Object.fromEntries(columns) }
}

const BY_DICTIONARY = 'It takes the canonical columns and the names of a published dictionary of dispensing extracts.'
const BY_NAME = 'Its own column names are unknown to us; export with the canonical names or those of the dictionary.'

/** What is known about some systems beyond the dictionary. */
const KNOWN: Partial<Record<UploadSource, { evidence: string; aliases: Aliases }>> = {
  fred: { evidence: BY_DICTIONARY, aliases: FRED },
  frednxt: { evidence: BY_DICTIONARY, aliases: FRED },
}

/** The dispensing systems of the specification, and Strong ER. */
export const SYSTEMS: readonly SourceProfile[] = UPLOAD_SOURCES.map(({ key, name }) => {
  const { evidence, aliases } = KNOWN[key] ?? { evidence: BY_NAME, aliases: {} }
  return {
    name: key,
    title: name,
    checked: false,
    status: `Not checked against a real export: no public schema of ${name} was found. ${evidence}`,
    shiftsDates: false,
    files: UPLOAD_SETS.map((set) => ({ name: set, ignored: IGNORED, feeds: [feedOf(set, [DICTIONARY, aliases])] })),
  }
})
