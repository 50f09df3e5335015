import { type contract, Refusal } from '@pillar/contract'
import { isSameName, namesPerson } from '@pillar/domain/text/reason'
import { noteCounts } from '../../api/audit.ts'
import { callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import { withCompanyScope } from '../../db/scope.ts'
import { countLookUp } from '../consent/look-up-throttle.ts'
import { keepWritersOut, lockErasure } from './erase.queries.ts'
import { eraseElsewhere, eraseIn, recognisedBy } from './erase.ts'
import { addToLedger } from './erasure-ledger.ts'
import {
  contactsOf,
  holdQueued,
  isBeingSent,
  type PatientRecord,
  recordsOfNumber,
  samePerson,
} from './record.queries.ts'

type Handlers = HandlersOf<typeof contract.erasure>

export const erasureHandlers: Handlers = {
  // A removed pharmacy may be restored, with its records of the person.
  erasePatient: (input, context) => withCompanyScope(tenantTx(context), () => erasePatient(input, context)),
}

const erasePatient: Handlers['erasePatient'] = async ({ id, location_id, number, last_name, reason }, context) => {
  const { services } = context
  const tx = tenantTx(context)
  const { companyId, loginId } = callerOf(context)
  const refund = await countLookUp(services, loginId)
  const found = (await recordsOfNumber(tx, services.keys, location_id, number.trim())).filter((one) =>
    isSameName(one.lastName, last_name),
  )
  const [record] = found
  if (!record)
    throw new Refusal('not_found', 'This pharmacy has no patient with that number and last name. Nothing was erased.')
  await refund()
  if (found.length > 1)
    throw new Refusal('conflict', 'Two dispensing systems of this pharmacy have a patient with that number and name.')
  const records = await samePerson(tx, services.keys, record)
  refuseNames(reason, records)
  // From here on, no message to them is written or claimed.
  for (const place of new Set(records.map((one) => one.locationId))) await keepWritersOut(tx, place)
  await holdQueued(tx, records)
  if (await isBeingSent(tx, records))
    throw new Refusal('conflict', 'A message to this person is on its way. Nothing was erased; try again in a minute.')
  const by = await recognisedBy(tx, services, companyId, records)
  const erasure = { uuid: uuidv7(), at: services.now().toISOString(), company: id, reason, ...by }
  const contacts = await contactsOf(tx, services.keys, records)
  // The search for lines not carried out waits for this one.
  await lockErasure(tx, erasure.uuid)
  // Before the commit: a database restored from an older backup erases again by this line.
  await addToLedger(services.env.DATA_DIR, services.secret, erasure)
  context.ifFails(AT_NEXT_LOOK)
  const files = await eraseElsewhere(services, [{ records, contacts }])
  // Last, because that takes seconds, and from here on everybody's STOP and consent at the pharmacy waits for the commit.
  const held = await eraseIn(tx, services, companyId, records, erasure)
  const done = { records: records.length, held, files }
  noteCounts(context, done)
  return done
}

const AT_NEXT_LOOK =
  'The server could not finish this at once. The erasure is on record and is completed within a few minutes; you need not ask again.'

/** The reason stays in the audit for good, so it must not name the erased person. */
function refuseNames(reason: string, records: readonly PatientRecord[]): void {
  const names = records.flatMap((one) => [one.lastName, one.firstName, one.mobile, one.email, one.number])
  if (namesPerson(reason, names))
    throw new Refusal(
      'invalid',
      'The reason names the person. It is kept in the audit for good, so leave the name out.',
      {
        errors: { reason: ['Please leave out the name, contact and number of the person.'] },
      },
    )
}
