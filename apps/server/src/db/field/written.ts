import { type RawBuilder, sql } from 'kysely'
import { rowName, rowNameOf, SEALED } from './columns.ts'
import { MARK_LENGTH, sealField } from './envelope.ts'
import type { Keys } from './key-ring.ts'

/**
 * A patient's mobile number and email address as the pharmacy wrote them: sealed once contacts are, plain before, and either way while an
 * installation is switched over. A plain value beside a sealed one is newer.
 */
export type Written = 'mobile' | 'email'

/** Both. */
export const WRITTEN = ['mobile', 'email'] as const satisfies Written[]

const COLUMN = { mobile: SEALED.patientMobile, email: SEALED.patientEmail } as const

/** The patient columns that `writtenOf` reads. */
export interface StoredWritten {
  mobile: string | null
  email: string | null
  mobile_sealed: Buffer | null
  email_sealed: Buffer | null
  sealed_as: string
}

/** The columns of the patient `p` that `openWritten` needs. */
export const writtenOf = (p: string): RawBuilder<unknown> =>
  sql`${column(p, 'mobile')}, ${column(p, 'email')}, ${column(p, 'mobile_sealed')}, ${column(p, 'email_sealed')},
    ${rowNameOf(SEALED.patientMobile, p)} as sealed_as`

/** The row with its written contacts opened. @throws AlteredField */
export const openWritten = <T extends StoredWritten>(keys: Keys, row: T): Promise<WithoutSealed<T>> =>
  opened(keys.open, row)

/** The same, with null for an altered value. */
export const openWholeWritten = <T extends StoredWritten>(keys: Keys, row: T): Promise<WithoutSealed<T>> =>
  opened(keys.openIfWhole, row)

type WithoutSealed<T extends StoredWritten> = Omit<T, 'mobile_sealed' | 'email_sealed' | 'sealed_as'>

async function opened<T extends StoredWritten>(
  openOne: Keys['openIfWhole'],
  { mobile_sealed, email_sealed, sealed_as, ...row }: T,
): Promise<WithoutSealed<T>> {
  const open = async (which: Written, sealed: Buffer | null) =>
    row[which] ?? (sealed && (await openOne(COLUMN[which].name, sealed_as, sealed)))
  return { ...row, mobile: await open('mobile', mobile_sealed), email: await open('email', email_sealed) }
}

/** Whether the pharmacy wrote this contact of patient `p` at all: it is not blank, and the patient is known. */
export const isWritten = (p: string, which: Written): RawBuilder<boolean> =>
  sql`case when ${column(p, which)} is null then ${column(p, `${which}_sealed`)} is not null else btrim(${column(p, which)}) <> '' end`

/** Seals a contact a pharmacy wrote, by the patient's number there; null if it is to be stored plain. */
export type SealWritten = (which: Written, number: string, text: string) => Buffer | null

/** Seals for the patients of one source at a pharmacy; good for one transaction, not for a day. */
export async function writtenSealer(keys: Keys, locationId: number, source: string): Promise<SealWritten> {
  const own = { mobile: await keys.writing(COLUMN.mobile.name), email: await keys.writing(COLUMN.email.name) }
  return (which, number, text) => {
    const key = own[which]
    return key && sealField(key, rowName(locationId, source, number), text)
  }
}

/** The four stored columns for what the pharmacy wrote of one patient. */
export function storedWritten(
  seal: SealWritten,
  number: string,
  written: Record<Written, string | null>,
): Omit<StoredWritten, 'sealed_as'> {
  const [mobile, email] = [written.mobile || null, written.email || null]
  const [mobile_sealed, email_sealed] = [
    mobile && seal('mobile', number, mobile),
    email && seal('email', number, email),
  ]
  return {
    ...{ mobile_sealed: mobile_sealed || null, email_sealed: email_sealed || null },
    ...{ mobile: mobile_sealed ? null : mobile, email: email_sealed ? null : email },
  }
}

/** The start of a sealed value: a keyed hash of row and text, which changes when the text does. */
const markOf = (sealed: RawBuilder<unknown>) => sql`encode(substring(${sealed} for ${sql.lit(MARK_LENGTH)}), 'hex')`

const partOf = (p: string, which: Written) =>
  sql`coalesce(${column(p, which)}, ${markOf(column(p, `${which}_sealed`))})`

const sourceOf = (mobile: RawBuilder<unknown>, email: RawBuilder<unknown>) => sql`concat(${mobile}, chr(31), ${email})`

/**
 * The `contact_source` patient `p` has once contacts are worked out from the current values. For sealed columns it holds only the hash at
 * their head.
 */
export const contactSource = (p: string): RawBuilder<string> =>
  sql`${sourceOf(partOf(p, 'mobile'), partOf(p, 'email'))}`

/**
 * The `contact_source` of patient `p` after sealing one of the two as `sealed`, so that contacts already worked out stay so. Null, which
 * means never worked out, if it came from an older text.
 */
export function sealedSource(p: string, name: string, sealed: RawBuilder<unknown>): RawBuilder<unknown> {
  const part = (which: Written) => (COLUMN[which].name === name ? markOf(sealed) : partOf(p, which))
  return sql`case when ${column(p, 'contact_source')} = ${contactSource(p)} then ${sourceOf(part('mobile'), part('email'))} end`
}

const column = (p: string, name: string) => sql.ref(`${p}.${name}`)
