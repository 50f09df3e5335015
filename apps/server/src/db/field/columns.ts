import { type RawBuilder, sql } from 'kysely'

/** A column whose values are sealed individually. */
export interface SealedColumn {
  /** The column's name in its keys: sealed values are bound to it for good. */
  name: string
  table: string
  /** Where values were before they were sealed; empty once all are. Null if they were never plain. */
  plain: string | null
  sealed: string
  /** Whether its rows belong to pharmacies, or to none. */
  place: 'pharmacy' | null
  /** The column of its blind index, and the normal form of a value; a column without an index is never looked up. */
  index?: { column: string; of: (text: string) => string }
  /** Columns that identify a row for good, within its pharmacy. Joined by slashes, they are what a value is bound to. */
  row: readonly string[]
  /** Column that orders the rows of a pharmacy for a sweep. */
  order: string
  /** Contacts of patients: they stay plain while any older process is left, so only an empty database or a command makes the first key. */
  switched?: true
  /** Contacts of a patient as a pharmacy wrote them: `contact_source` follows them. */
  written?: true
}

/** Every sealed column. */
export const SEALED = {
  contact: {
    name: 'contact',
    place: null,
    table: 'contact',
    plain: null,
    sealed: 'sealed',
    row: ['id'],
    order: 'id',
    switched: true,
  },
  patientAddress: {
    name: 'patient.address',
    place: 'pharmacy',
    table: 'patient',
    plain: 'address',
    sealed: 'address_sealed',
    row: ['source', 'source_id'],
    order: 'id',
  },
  patientMobile: ofWritten('mobile'),
  patientEmail: ofWritten('email'),
  consentContact: {
    name: 'consent_entry.contact',
    place: 'pharmacy',
    table: 'consent_entry',
    plain: 'contact',
    sealed: 'contact_sealed',
    row: ['uuid'],
    order: 'id',
  },
  fakeAddress: ofFakePatient('address'),
  fakeMedicare: ofFakePatient('medicare'),
  fakeDva: ofFakePatient('dva'),
  gatewayEvent: {
    name: 'gateway_event.payload',
    place: null,
    table: 'gateway_event',
    // Plain values that identify nobody stay beside it.
    plain: null,
    sealed: 'payload_sealed',
    row: ['gateway', 'event_id'],
    order: 'id',
    switched: true,
  },
  mailRecipient: {
    name: 'mail.recipient',
    place: null,
    table: 'mail',
    plain: 'recipient',
    sealed: 'recipient_sealed',
    row: ['uuid'],
    order: 'id',
  },
  signupEmail: {
    name: 'signup.email',
    place: null,
    table: 'signup',
    plain: 'email',
    sealed: 'email_sealed',
    index: { column: 'email_index', of: (text) => text.trim().toLowerCase() },
    row: ['uuid'],
    order: 'id',
  },
  signupPhone: {
    name: 'signup.phone',
    place: null,
    table: 'signup',
    plain: 'phone',
    sealed: 'phone_sealed',
    row: ['uuid'],
    order: 'id',
  },
} as const satisfies Record<string, SealedColumn>

export type ColumnName = (typeof SEALED)[keyof typeof SEALED]['name']

/** Every sealed column with its name. */
export const COLUMNS: readonly (SealedColumn & { name: ColumnName })[] = Object.values(SEALED)

function ofFakePatient<C extends string>(column: C) {
  return {
    name: `fake_patient.${column}` as const,
    place: 'pharmacy',
    table: 'fake_patient',
    plain: column,
    sealed: `${column}_sealed` as const,
    row: ['patient_id'],
    order: 'patient_id',
  } as const
}

function ofWritten<C extends string>(column: C) {
  return {
    name: `patient.${column}` as const,
    place: 'pharmacy',
    table: 'patient',
    plain: column,
    sealed: `${column}_sealed` as const,
    row: ['source', 'source_id'],
    order: 'id',
    switched: true,
    written: true,
  } as const
}

/** What a value is bound to: its pharmacy, if any, and the name of its row there. */
export const rowName = (...row: readonly [number | string, ...(string | number)[]]): string => row.join('/')

/** The same name, built by the database from the row `t`. */
export const rowNameOf = (column: SealedColumn, t: string): RawBuilder<string> =>
  sql<string>`concat_ws('/', ${column.place ? sql`${sql.ref(`${t}.location_id`)},` : sql``} ${sql.join(column.row.map((name) => sql.ref(`${t}.${name}`)))})`

/** Names of the columns that are switched over together. */
export const SWITCHED: readonly ColumnName[] = COLUMNS.filter(({ switched }) => switched).map(({ name }) => name)
