import { type RawBuilder, sql } from 'kysely'

/** A column whose values are sealed one by one. */
export interface SealedColumn {
  /** Its name as its keys have it: what is sealed is bound to it for good. */
  name: string
  table: string
  /** Where values lay before they were sealed: empty once all are. Null: they never did. */
  plain: string | null
  sealed: string
  /** Whether its rows belong to pharmacies, or to nobody. */
  place: 'pharmacy' | null
  /** The column of its blind index, and how a value is written the same way each time; without one it is never looked up. */
  index?: { column: string; of: (text: string) => string }
  /** Columns that name a row for good, beside its pharmacy; joined by slashes they are what a value is bound to. */
  row: readonly string[]
  /** Column in whose order rows are walked within a pharmacy. */
  order: string
  /** Contacts of patients: plain until no older process is left, so only an empty database or a command makes the first key. */
  switched?: true
  /** What a pharmacy wrote of a patient's contacts: `contact_source` follows it. */
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
    // What names nobody stays plain beside it.
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

/** Every sealed column by its name. */
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

/** What a value is bound to: its pharmacy, where it has one, and what names its row there. */
export const rowName = (...row: readonly [number | string, ...(string | number)[]]): string => row.join('/')

/** The same, read from the row `t` by the database. */
export const rowNameOf = (column: SealedColumn, t: string): RawBuilder<string> =>
  sql<string>`concat_ws('/', ${column.place ? sql`${sql.ref(`${t}.location_id`)},` : sql``} ${sql.join(column.row.map((name) => sql.ref(`${t}.${name}`)))})`

/** Names of the columns that are switched over together. */
export const SWITCHED: readonly ColumnName[] = COLUMNS.filter(({ switched }) => switched).map(({ name }) => name)
