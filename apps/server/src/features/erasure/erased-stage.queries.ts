import type { Country } from '@pillar/domain/time/locale'
import type { UploadSet } from '@pillar/domain/upload/upload-format'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { forgetKeys, type LostKeys } from '../person/person-key.queries.ts'
import { aliasOf, numberKey, type PersonKeys, personKeys, recordKey } from './erasure-key.ts'
import { endLinksAndTrials, NAMELESS, NAMELESS_PRESCRIPTION, NAMELESS_SCRIPT } from './nameless.queries.ts'

/** The upload being loaded. */
interface Load {
  locationId: number
  companyId: number
  source: string
}

/** A staged patient who was erased: their number there, its replacement, and the erasure that matched. */
interface Hidden {
  number: string
  key: string
  erasure: string
}

interface Known {
  location: string
  country: Country
  records: Map<string, string>
  keys: Map<string, string>
}

/**
 * Before anything is merged, removes from the staged rows whatever names an erased person: their scripts count under their alias, and
 * nothing of them is stored again. A person with a new number is recognised by name, date of birth, sex and phone or postcode; from a
 * patient who merely has an erased person's contact, only the contact is removed. @returns whom it found, and the keys of records that
 * became theirs
 */
export async function hideErased(
  tx: Tx,
  secret: Buffer,
  load: Load,
  staged: ReadonlyMap<UploadSet, unknown>,
  now: Date,
): Promise<{ hidden: Hidden[]; lost: LostKeys }> {
  const none = { keys: [], patients: [] }
  const known = await knownAt(tx, load)
  if (!known) return { hidden: [], lost: none }
  const sets = (['patients', 'prescriptions', 'scripts'] as const).filter((set) => staged.has(set))
  const hidden = new Map<string, Hidden>()
  const numbers = await stagedNumbers(tx, [
    ...sets,
    ...(staged.has('s8_transactions') ? (['s8_transactions'] as const) : []),
  ])
  for (const number of numbers) {
    const key = recordKey(secret, known.location, load.source, number)
    const erasure = known.records.get(key)
    if (erasure) hidden.set(number, { number, key, erasure })
  }
  if (staged.has('patients')) await recognise(tx, secret, load, known, hidden)
  const found = [...hidden.values()]
  if (found.length === 0) return { hidden: found, lost: none }
  const lost = await adoptRecords(tx, load, found, now)
  await putAliases(tx, sets, found)
  return { hidden: found, lost }
}

/** After the merge: the people hideErased found also stay erased under the number they came with, and entries of the register are marked. */
export async function markErased(tx: Tx, load: Load, hidden: readonly Hidden[], now: Date): Promise<void> {
  if (hidden.length === 0) return
  const [keys, erasures] = [hidden.map((one) => one.key), hidden.map((one) => one.erasure)]
  await sql`
    update patient set erased_at = coalesce(erased_at, ${now}), sms_opt_out = true, email_opt_out = true
    where location_id = ${load.locationId} and source = ${load.source} and source_id = any(${keys.map(aliasOf)}::text[])
      and (erased_at is null or not sms_opt_out or not email_opt_out)`.execute(tx)
  await sql`
    insert into erasure_record (location_id, key, erasure)
    select ${load.locationId}, * from unnest(${keys}::text[], ${erasures}::uuid[]) on conflict do nothing`.execute(tx)
  await sql`
    insert into erasure_hold (location_id, source, number, erasure)
    select e.location_id, e.source, e.number, h.erasure
    from unnest(${hidden.map((one) => one.number)}::text[], ${erasures}::uuid[]) as h(number, erasure)
      join s8_entry e on e.location_id = ${load.locationId} and e.patient_id = h.number
    on conflict do nothing`.execute(tx)
}

/** The people erased at this pharmacy and in its company; null if none. */
async function knownAt(tx: Tx, { locationId, companyId }: Load): Promise<Known | null> {
  const { rows: records } = await sql<{ key: string; erasure: string }>`
    select key, erasure from erasure_record where location_id = ${locationId}`.execute(tx)
  const { rows: keys } = await sql<{ name: string; erasure: string }>`
    select kind || ' ' || key as name, erasure from erasure_key where company_id = ${companyId}`.execute(tx)
  if (records.length + keys.length === 0) return null
  const { rows } = await sql<{ location: string; country: Country }>`
    select uuid as location, country from location where id = ${locationId}`.execute(tx)
  const place = rows[0]
  if (!place) return null
  return {
    ...place,
    records: new Map(records.map((one) => [one.key, one.erasure])),
    keys: new Map(keys.map((one) => [one.name, one.erasure])),
  }
}

async function stagedNumbers(tx: Tx, sets: readonly UploadSet[]): Promise<string[]> {
  if (sets.length === 0) return []
  const each = sets.map((set) => sql`select patient_id from ${sql.table(`stage_${set}`)} where patient_id is not null`)
  const { rows } = await sql<{ patient_id: string }>`${sql.join(each, sql` union `)}`.execute(tx)
  return rows.map((row) => row.patient_id)
}

interface StagedPatient {
  number: string
  firstName: string | null
  lastName: string | null
  sex: 'F' | 'M' | null
  born: number | null
  mobile: string | null
  postcode: string | null
  email: string | null
}

/** Finds staged patients who are an erased person under another number, and removes erased people's contacts from the others. */
async function recognise(tx: Tx, secret: Buffer, load: Load, known: Known, hidden: Map<string, Hidden>): Promise<void> {
  if (known.keys.size === 0) return
  const { rows } = await sql<StagedPatient>`
    select patient_id as number, first_name as "firstName", last_name as "lastName", sex, date_of_birth - date '1970-01-01' as born,
      mobile, postcode, email from stage_patients where not faulty`.execute(tx)
  const bare: Record<'sms' | 'email', string[]> = { sms: [], email: [] }
  for (const row of rows) {
    if (hidden.has(row.number)) continue
    const keys = personKeys(secret, load.companyId, row as Parameters<typeof personKeys>[2], known.country)
    const erasureOf = (kind: keyof PersonKeys) =>
      keys[kind].map((key) => known.keys.get(`${kind} ${key}`)).find((one) => one !== undefined)
    const erasure = erasureOf('person')
    if (erasure) {
      const key = recordKey(secret, known.location, load.source, row.number)
      hidden.set(row.number, { number: row.number, key, erasure })
      continue
    }
    for (const kind of ['sms', 'email'] as const) if (erasureOf(kind)) bare[kind].push(row.number)
  }
  await sql`update stage_patients set mobile = null, mobile_sealed = null where patient_id = any(${bare.sms}::text[])`.execute(
    tx,
  )
  await sql`update stage_patients set email = null, email_sealed = null where patient_id = any(${bare.email}::text[])`.execute(
    tx,
  )
}

/**
 * A record stored before its details were corrected to an erased person's becomes theirs: otherwise it would keep its old name and contacts,
 * and the person would count as two. Clears what it holds of columns that this upload lacks; the date of birth comes with the merge. Their
 * links end, and they have left their trials.
 * @returns the keys it was joined by to records with its former details
 */
async function adoptRecords(tx: Tx, load: Load, hidden: readonly Hidden[], now: Date): Promise<LostKeys> {
  const [numbers, aliases] = [hidden.map((one) => one.number), hidden.map((one) => aliasOf(one.key))]
  const { rows } = await sql<{ id: number; number: string }>`
    update patient p set source_id = free.alias, ${NAMELESS}
    from (select h.number, h.alias from unnest(${numbers}::text[], ${aliases}::text[]) as h(number, alias)
      left join patient o on o.location_id = ${load.locationId} and o.source = ${load.source} and o.source_id = h.alias
      where o.id is null) free
    where p.location_id = ${load.locationId} and p.source = ${load.source} and p.source_id = free.number
    returning p.id, free.number`.execute(tx)
  const patients = rows.map(({ id }) => id)
  if (rows.length === 0) return { keys: [], patients }
  const own = sql`location_id = ${load.locationId} and patient_id = any(${patients}::bigint[])`
  await sql`
    delete from resource_version where location_id = ${load.locationId} and source = ${load.source} and upload_set = 'patients'
      and source_id = any(${rows.map(({ number }) => number)}::text[])`.execute(tx)
  await sql`update prescription set ${NAMELESS_PRESCRIPTION} where ${own}`.execute(tx)
  await sql`update script set ${NAMELESS_SCRIPT} where ${own} and directions is not null`.execute(tx)
  for (const { id } of rows) await endLinksAndTrials(tx, load.locationId, id, now)
  return forgetKeys(tx, load.locationId, patients)
}

async function putAliases(tx: Tx, sets: readonly UploadSet[], hidden: readonly Hidden[]): Promise<void> {
  const [numbers, aliases] = [hidden.map((one) => one.number), hidden.map((one) => aliasOf(one.key))]
  const less: Partial<Record<UploadSet, ReturnType<typeof sql>>> = {
    patients: sql`, first_name = null, last_name = null, date_of_birth = date_trunc('month', s.date_of_birth)::date, address = null, suburb = null,
      state = null, postcode = null, mobile = null, email = null, mobile_sealed = null, email_sealed = null,
      sms_opt_out = true, email_opt_out = true`,
    prescriptions: sql`, authority = null, original_pharmacy = null`,
    scripts: sql`, directions = null`,
  }
  for (const set of sets)
    await sql`
      update ${sql.table(`stage_${set}`)} s set patient_id = h.alias ${less[set] ?? sql``}
      from unnest(${numbers}::text[], ${aliases}::text[]) as h(number, alias) where s.patient_id = h.number`.execute(tx)
}

/** Whether a number (E.164) belonged to a person whom this company erased. */
export async function isErasedNumber(tx: Tx, secret: Buffer, companyId: number, number: string): Promise<boolean> {
  const { rows } = await sql`
    select from erasure_key where company_id = ${companyId} and kind = 'sms' and key = ${numberKey(secret, companyId, number)}`.execute(
    tx,
  )
  return rows.length > 0
}
