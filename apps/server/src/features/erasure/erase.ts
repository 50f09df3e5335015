import type { Day } from '@pillar/domain/time/day'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { inScope, type Scope } from '../../db/scope.ts'
import {
  companyScope,
  eraseRecord,
  hasEnded,
  holdRegister,
  isErased,
  keepErasure,
  keepWritersOut,
  lockErasure,
} from './erase.queries.ts'
import { eraseLetters } from './erase-letters.ts'
import { eraseOutside } from './erase-outside.queries.ts'
import { aliasOf, personKeys, recordKey } from './erasure-key.ts'
import { type Erasure, readLedger } from './erasure-ledger.ts'
import { contactsOf, isShared, type PatientRecord, recordsAt } from './record.queries.ts'

type Needs = Pick<Services, 'pools' | 'files' | 'secret' | 'keys' | 'env' | 'now'> & {
  log: { error: (about: object, what: string) => void }
}

const keysOf = (secret: Buffer, companyId: number, one: PatientRecord) =>
  personKeys(secret, companyId, { ...one, born: one.born as Day | null }, one.country)
/** The keys of a record: of its number, then of each number it had before. */
const recordKeys = (secret: Buffer, one: PatientRecord): readonly [string, ...string[]] => {
  const of = ({ source, number }: { source: string; number: string }) => recordKey(secret, one.location, source, number)
  return [of(one), ...one.former.map(of)]
}

/**
 * What identifies these records later. It excludes a number or address that another patient of the company has too: whether that patient
 * gets messages is their own choice.
 */
export async function recognisedBy(
  tx: Tx,
  { secret, keys: sealing }: Pick<Needs, 'secret' | 'keys'>,
  companyId: number,
  records: readonly PatientRecord[],
): Promise<Pick<Erasure, 'records' | 'keys'>> {
  const keys = { person: new Set<string>(), sms: new Set<string>(), email: new Set<string>() }
  for (const one of records) {
    const own = keysOf(secret, companyId, one)
    for (const key of own.person) keys.person.add(key)
    const alone = { sms: one.smsTo, email: one.emailTo }
    for (const kind of ['sms', 'email'] as const) {
      const contact = alone[kind]
      if (contact === null || !(await isShared(tx, sealing, records, `${kind}_to`, contact)))
        for (const key of own[kind]) keys[kind].add(key)
    }
  }
  return {
    records: records.flatMap((one) => recordKeys(secret, one).map((key) => [one.location, key] as [string, string])),
    keys: { person: [...keys.person], sms: [...keys.sms], email: [...keys.email] },
  }
}

/**
 * Erases these records in the caller's transaction, as the tenant, with the company's pharmacies in the scope. Call `eraseElsewhere` first,
 * which clears gateways, emails and files.
 */
export async function eraseIn(
  tx: Tx,
  { secret, keys, now }: Pick<Needs, 'secret' | 'keys' | 'now'>,
  companyId: number,
  records: readonly PatientRecord[],
  erasure: Erasure,
): Promise<number> {
  let held = 0
  for (const locationId of new Set(records.map((one) => one.locationId))) await keepWritersOut(tx, locationId)
  await keepErasure(tx, companyId, erasure)
  for (const one of records) {
    held += await holdRegister(tx, one, erasure.uuid)
    await eraseRecord(tx, keys, one, aliasOf(recordKeys(secret, one)[0]), now())
  }
  return held
}

/** A person who is erased: their records, and every number and address they had. */
export interface Erased {
  records: PatientRecord[]
  contacts: string[]
}

/**
 * Erases people from everywhere outside the company's own tables: gateway events, the simulator's messages, emails, files to be downloaded,
 * and the files of ended uploads. Repeating it changes nothing. Emails and files are gone through once, however many people these are.
 * @returns uploads whose files were removed
 */
export async function eraseElsewhere(needs: Needs, people: readonly Erased[]): Promise<number> {
  const { pools, files, keys, log } = needs
  for (const { records, contacts } of people) {
    const locationIds = [...new Set(records.map((one) => one.locationId))]
    const closed = await pools.system.transaction().execute((tx) => eraseOutside(tx, keys, { contacts, locationIds }))
    if (closed > 0)
      log.error({ events: closed }, 'events of gateways did not open, and may tell of somebody who was erased')
  }
  const all = {
    records: people.flatMap(({ records }) => records),
    contacts: people.flatMap(({ contacts }) => contacts),
  }
  await eraseLetters(needs, all)
  const locationIds = new Set(all.records.map((one) => one.locationId))
  let removed = 0
  for (const { locationId, uuid } of await files.held()) {
    if (!locationIds.has(locationId)) continue
    removed += await pools.system.transaction().execute(async (tx) => {
      if (!(await hasEnded(tx, locationId, uuid))) return 0
      await files.remove({ locationId, uuid })
      return 1
    })
  }
  return removed
}

/**
 * Repeats every erasure in DATA_DIR's ledger that the database does not know, as after restoring an older backup.
 * @returns the number of erasures repeated, and of records they erased
 * @throws Error if the ledger was altered
 */
export async function eraseAgain(services: Needs): Promise<{ erasures: number; records: number }> {
  const done = { erasures: 0, records: 0 }
  const { pools, secret, env } = services
  const ledger = Map.groupBy(await readLedger(env.DATA_DIR, secret), ({ company }) => company)
  for (const [company, erasures] of ledger) {
    const scope = await companyScope(pools.system, company)
    if (!scope) continue
    const back = await inScope(pools.app, scope, (tx) => broughtBack(tx, services, scope, erasures))
    if (back.length === 0) continue
    await eraseElsewhere(services, back)
    for (const { erasure, records } of back) {
      const mine = await inScope(pools.app, scope, async (tx) => {
        // Several processes start after a restore: the others wait, and find it done.
        await lockErasure(tx, erasure.uuid)
        if (await isErased(tx, erasure.uuid)) return false
        await eraseIn(tx, services, scope.companyId, records, erasure)
        return true
      })
      if (!mine) continue
      done.erasures += 1
      done.records += records.length
    }
  }
  return done
}

/** An erasure that the database does not know, and what it has of that person. */
interface BroughtBack extends Erased {
  erasure: Erasure
}

/** The erasures of a company that its database does not know. Its records are read once, however many these are. */
async function broughtBack(
  tx: Tx,
  { secret, keys }: Pick<Needs, 'secret' | 'keys'>,
  scope: Scope,
  erasures: readonly Erasure[],
): Promise<BroughtBack[]> {
  const back: BroughtBack[] = []
  for (const erasure of erasures)
    if (!(await isErased(tx, erasure.uuid))) back.push({ erasure, records: [], contacts: [] })
  if (back.length === 0) return []
  const whose = finder(secret, scope.companyId, back)
  for (const locationId of scope.locationIds)
    for await (const page of recordsAt(tx, keys, locationId)) for (const one of page) whose(one)?.records.push(one)
  for (const one of back) one.contacts = await contactsOf(tx, keys, one.records)
  return back
}

/** Finds the first erasure that a record belongs to: by its number at its pharmacy, or by the person. */
function finder(secret: Buffer, companyId: number, back: readonly BroughtBack[]) {
  const byRecord = new Map<string, BroughtBack>()
  const byPerson = new Map<string, BroughtBack>()
  for (const one of back.toReversed()) {
    for (const [location, key] of one.erasure.records) byRecord.set(`${location} ${key}`, one)
    for (const key of one.erasure.keys.person) byPerson.set(key, one)
  }
  return (record: PatientRecord): BroughtBack | undefined => {
    const { person } = keysOf(secret, companyId, record)
    const own = recordKeys(secret, record).map((key) => byRecord.get(`${record.location} ${key}`))
    const theirs = [...own, ...person.map((key) => byPerson.get(key))]
    return back.find((one) => theirs.includes(one))
  }
}
