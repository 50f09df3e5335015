import { rowName } from '../../src/db/field/columns.ts'
import { openEvent, type StoredEvent } from '../../src/gateways/gateway-event.queries.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'

interface Entry {
  location_id: number
  patient: number
  uuid: string
  type: string
  answers: object | null
  wording: string | null
  source: string
  contact: string | null
  contact_sealed: Buffer | null
}

/** The consent log of pharmacies with the origin of each entry, opened; by pharmacy, patient and order. */
export async function consentLog(server: TestServer, locationIds: readonly number[]) {
  const rows = await asOwner<Entry>(
    server,
    `select location_id, patient_id as patient, uuid, type, answers, wording, source, contact, contact_sealed from consent_entry
     where location_id = any ($1) order by location_id, patient_id, id`,
    [locationIds],
  )
  return Promise.all(
    rows.map(async ({ uuid, contact_sealed, contact, ...row }) => {
      if (contact !== null) throw new Error('a consent entry holds a contact that is not sealed')
      const name = rowName(row.location_id, uuid)
      const opened = contact_sealed && (await server.services.keys.open('consent_entry.contact', name, contact_sealed))
      return { ...row, contact: opened }
    }),
  )
}

/** Addresses of a pharmacy's patients by their number there, opened; plain values are marked. */
export async function addressesOf(server: Pick<TestServer, 'services' | 'ownerPool'>, locationId: number) {
  const rows = await asOwner<{ source: string; source_id: string; address: string | null; sealed: Buffer | null }>(
    server,
    `select source, source_id, address, address_sealed as sealed from patient where location_id = $1 order by id`,
    [locationId],
  )
  const opened = rows.map(async ({ source, source_id, address, sealed }) => {
    const name = rowName(locationId, source, source_id)
    const text = sealed && (await server.services.keys.openIfWhole('patient.address', name, sealed))
    return [source_id, address === null ? text : `PLAIN ${address}`] as const
  })
  return Object.fromEntries(await Promise.all(opened))
}

/** Gateway events, whole, in order; only those that match a condition. */
export async function eventsOf(server: Pick<TestServer, 'services' | 'ownerPool'>, where = 'true') {
  const rows = await asOwner<StoredEvent & { failure: string | null }>(
    server,
    `select gateway, event_id as "eventId", payload, payload_sealed as sealed, failure from gateway_event where ${where} order by id`,
  )
  return Promise.all(
    rows.map(async (row) => ({
      ...{ gateway: row.gateway, event_id: row.eventId, failure: row.failure, sealed: row.sealed !== null },
      payload: (await openEvent(server.services.keys, row)) as Record<string, string>,
    })),
  )
}
