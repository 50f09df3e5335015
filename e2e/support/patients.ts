import {
  consentLinks,
  optOutLink,
  unsubscribeLink,
} from '../../apps/server/src/features/consent/link/consent-link.queries.ts'
import {
  makeMessagingWorld,
  makePatients,
  makeRun,
  type PatientColumns,
  type TestRun,
} from '../../apps/server/test/messaging.ts'
import { asOwner } from '../../apps/server/test/people.ts'
import { behindServer } from './behind.ts'

export interface PatientLinks {
  pharmacy: string
  /** The paths of the pages. */
  consent: string
  unsubscribe: string
  /** The path in a text whose sender is a name. */
  optOut: string
  /** What the server under test has recorded about the patient. */
  consentRow: () => Promise<Record<string, string> | undefined>
}

export interface LinkOptions extends PatientColumns {
  kinds?: { health_outreach: boolean; marketing: boolean }
  country?: 'AU' | 'GB' | 'US'
  /** Its name; a fresh one by default. */
  pharmacy?: string
  dataDir?: string
}

/** A patient of a separate pharmacy on the server under test, with the links that a text and an email would contain. */
export async function patientLinks(options: LinkOptions = {}): Promise<PatientLinks> {
  const { kinds, country = 'AU', pharmacy, dataDir, ...columns } = options
  return behindServer(async (server, services) => {
    const world = await makeMessagingWorld(server)
    const { id, name } = world.locations[0]!
    await asOwner(
      server,
      `update location set street_address = '48 Harbour Street', town = 'Wollongong', region = 'NSW', postcode = '2500',
       phone_number = '(02) 5550 4471', country = $2, name = coalesce($3, name) where id = $1`,
      [id, country, pharmacy ?? null],
    )
    const [patient] = await makePatients(server, id, 1, () => ({ first_name: 'Margaret', ...columns }))
    // 'done', so that nobody sends it.
    const run = await makeRun(server, world, { patients: [patient!], channel: 'email', state: 'done' })
    const text = await makeRun(server, world, { patients: [patient!], smsSender: 'SALTBUSH', state: 'done' })
    const messageOf = async ({ id: runId }: TestRun) =>
      Number((await asOwner<{ id: number }>(server, 'select id from message where run_id = $1', [runId]))[0]!.id)
    const asking = { locationId: id, id: await messageOf(run), patientId: patient!.id, ...(kinds ? { kinds } : {}) }
    const consent = (await world.inside((tx) => consentLinks(tx, services, [asking]))).get(asking.id)!
    const { unsubscribeUrl } = unsubscribeLink(services, id, asking.id)
    return {
      pharmacy: pharmacy ?? name,
      consent: new URL(consent).pathname,
      unsubscribe: new URL(unsubscribeUrl).pathname,
      optOut: new URL(optOutLink(services, id, await messageOf(text))).pathname,
      consentRow: async () => {
        const [row] = await asOwner<Record<string, string>>(
          server,
          `select sms_health_outreach, sms_marketing, email_health_outreach, email_marketing from consent
           where location_id = $1 and patient_id = $2`,
          [id, patient!.id],
        )
        return row
      },
    }
  }, dataDir)
}
