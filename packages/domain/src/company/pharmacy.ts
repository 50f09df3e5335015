import { STOCKTAKE_DAYS } from '../s8/stocktake.ts'
import { counted, listOf, type Problem, problemSentence } from '../text/sentence.ts'
import { COUNTRY_NAMES, type Country, postcodeWord } from '../time/locale.ts'

/** Features that can be switched on for a single pharmacy. */
export const PHARMACY_FEATURES = ['beta'] as const

/** The states and territories an Australian address may name. */
export const AU_STATES = ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'] as const

/** The longest texts in a pharmacy's address. */
export const PHARMACY_LIMITS = { name: 200, line: 200, region: 60, postcode: 12, phone: 40, externalId: 100 } as const

/** The address label for a pharmacy's town. */
export const townLabel = (country: Country) => ({ AU: 'Suburb', GB: 'Town', US: 'City' })[country]

/** The country of a name as addresses write it, letter case ignored; null for any other. */
export function countryNamed(name: string): Country | null {
  const wanted = name.trim().toLowerCase()
  const found = Object.entries(COUNTRY_NAMES).find(
    ([code, full]) => code.toLowerCase() === wanted || full.toLowerCase() === wanted,
  )
  return (found?.[0] as Country | undefined) ?? null
}

/** An active module, and the number by which it knows the pharmacy. */
export interface ModuleDraft {
  readonly display_name: string
  readonly needs_external_id: boolean
  readonly external_id: string
}

export interface PharmacyDraft {
  readonly name: string
  readonly country: Country
  readonly town: string
  /** Validated only in Australian addresses. */
  readonly region: string
  readonly postcode: string
  readonly phone_number: string
  readonly module_ids: readonly ModuleDraft[]
  /** As typed; left out or blank: the default. */
  readonly s8_stocktake_warning_days?: string
}

type Field = 'name' | 'town' | 'region' | 'postcode' | 'phone_number' | 'module_ids' | 's8_stocktake_warning_days'

const blank = (text: string) => text.trim() === ''
const lacksId = (module: ModuleDraft) => module.needs_external_id && blank(module.external_id)
const idWords = ({ display_name }: ModuleDraft) => `enter an external ID for ${display_name}`
/** Enough digits to call, with the usual punctuation. */
export const isPhone = (text: string) => /^[+()\d\s./-]+$/.test(text.trim()) && text.replaceAll(/\D/g, '').length >= 6

/** What is missing or wrong before a pharmacy can be saved, in the order of the form. Postcodes are digits in Australia and text elsewhere. */
export function pharmacyProblems(draft: PharmacyDraft): Problem<Field>[] {
  const found: Problem<Field>[] = []
  const wrong = (field: Field, words: string) => found.push({ field, words })
  const town = townLabel(draft.country).toLowerCase()
  if (blank(draft.name)) wrong('name', 'enter a pharmacy name')
  if (blank(draft.town)) wrong('town', `enter a ${town}`)
  if (draft.country === 'AU') {
    if (!(AU_STATES as readonly string[]).includes(draft.region)) wrong('region', 'select a state')
    if (!/^\d{4}$/.test(draft.postcode.trim())) wrong('postcode', 'enter a postcode of four digits')
  } else if (blank(draft.postcode)) wrong('postcode', `enter a ${postcodeWord(draft.country)}`)
  if (!blank(draft.phone_number) && !isPhone(draft.phone_number)) wrong('phone_number', 'enter a valid phone number')
  for (const module of draft.module_ids) if (lacksId(module)) wrong('module_ids', idWords(module))
  const days = draft.s8_stocktake_warning_days ?? ''
  if (!blank(days) && !isStocktakeDays(days))
    wrong(
      's8_stocktake_warning_days',
      `enter a stocktake warning of ${STOCKTAKE_DAYS.least} to ${STOCKTAKE_DAYS.most} days`,
    )
  return found
}

/** A valid number of days between two counts of a product, as a whole number. */
const isStocktakeDays = (text: string) =>
  /^\d{1,3}$/.test(text.trim()) && Number(text) >= STOCKTAKE_DAYS.least && Number(text) <= STOCKTAKE_DAYS.most

/** The same as one sentence; empty when nothing is wrong. */
export function pharmacyProblem(draft: PharmacyDraft): string {
  return problemSentence(pharmacyProblems(draft))
}

/** What is missing before a module can be switched on, field by field; null if none is selected. */
export function externalIdProblems(
  module: Pick<ModuleDraft, 'display_name' | 'needs_external_id'> | null,
  external_id: string,
): Problem<'moduleId' | 'external_id'>[] {
  if (!module) return [{ field: 'moduleId', words: 'select a module' }]
  const draft = { ...module, external_id }
  return lacksId(draft) ? [{ field: 'external_id', words: idWords(draft) }] : []
}

/** What blocks the removal of a pharmacy. */
export interface PharmacyOwns {
  readonly activeCampaigns: number
  /** Sends with messages still to go at this pharmacy. */
  readonly unfinishedSends: number
  /** Uploads that are waiting or loading. */
  readonly openUploads: number
}

/** Why a pharmacy cannot be removed yet and what to do, as one sentence; empty when it can be removed. */
export function pharmacyRemovalProblem(name: string, owns: PharmacyOwns): string {
  const left: string[] = []
  if (owns.activeCampaigns > 0) left.push(counted(owns.activeCampaigns, 'active campaign', 'active campaigns'))
  if (owns.unfinishedSends > 0) left.push(counted(owns.unfinishedSends, 'unfinished send', 'unfinished sends'))
  if (owns.openUploads > 0) left.push(counted(owns.openUploads, 'upload in its queue', 'uploads in its queue'))
  if (left.length === 0) return ''
  return `${name} still has ${listOf(left)}. Please deactivate, stop or delete them first.`
}
