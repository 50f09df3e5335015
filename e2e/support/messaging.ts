import { setTimeout } from 'node:timers/promises'
import { createLogin } from '../../apps/server/src/features/session/login.queries.ts'
import {
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makeRun,
  makeTemplate,
} from '../../apps/server/test/messaging.ts'
import { asOwner } from '../../apps/server/test/people.ts'
import { addPeople, type CohortPerson, person } from '../../apps/server/test/world/cohort-world.ts'
import { behindServer } from './behind.ts'
import { PASSWORD } from './people.ts'

/** A separate company for a test, on the server under test: open at all hours, so that tests also run at night and on Sundays. */
export interface Network {
  company: MessagingWorld['company']
  pharmacies: MessagingWorld['locations']
  /** The name to sign in with. */
  username: string
  email: string
  /** Patient ids, in the order the people were given. */
  patients: number[]
  /** An active template for texts: one part, 12 cents. */
  template: string
  /** Runs SQL directly on the database. */
  sql: <T extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<T[]>
  /** Ends a run's two minutes for cancelling as soon as its messages are written. */
  endHold: () => Promise<void>
  /** Makes a pharmacy's last `count` queued messages wait, as quiet hours would; 0 lets all of them go now. */
  hold: (pharmacy: number, count: number) => Promise<void>
}

let numbers = Math.floor(Math.random() * 89)

/** A person with their own mobile number, which ends in `digits`: docs/operations.md lists what the simulator does with some. */
export function texted(
  more: Partial<CohortPerson> = {},
  digits = String(100_000 + Math.floor(Math.random() * 899_999)),
) {
  const sms_to = `+614${10 + (numbers++ % 89)}${digits}`
  return person({ adherence_level: 2, sms_to, mobile: sms_to, ...more })
}

/** Ends of numbers: a phone that never answers, and one that answers STOP. */
export const SILENT = '000005'
export const STOPS = '000006'

export interface NetworkOptions {
  pharmacies?: number
  people?: readonly CohortPerson[]
  /** An inactive campaign with this name, for adherence 2, at every pharmacy. */
  campaign?: string
  /** Everybody has received a text. */
  reached?: boolean
}

export async function makeNetwork({
  pharmacies = 1,
  people = [],
  campaign,
  reached,
}: NetworkOptions = {}): Promise<Network> {
  return behindServer(async (server, { pools }) => {
    const world = await makeMessagingWorld(server, { locations: pharmacies })
    const username = `office-${world.company.id}-${Date.now()}`
    const email = `${username}@e2e.example`
    const login = { companyId: world.company.id, username, email, first_name: 'Test', last_name: 'Person' }
    await createLogin(pools.system, { ...login, flags: ['data_analytics'], password: PASSWORD })
    const patients = people.length > 0 ? await addPeople(server, world, people) : []
    const template = 'Repeat due'
    const { id: templateId } = await makeTemplate(server, world.company.id, { name: template })
    const sql: Network['sql'] = (text, values) => asOwner(server, text, values)
    const { company, locations } = world
    const ids = world.scope.locationIds
    if (campaign) {
      const parts = { name: campaign, locationIds: ids, templateIds: [templateId] }
      const { id } = await makeCampaign(server, company.id, parts)
      await sql(`update campaign set filters = '{"adherence": [2]}' where id = $1`, [id])
    }
    if (reached) {
      const those = people.map((one, at) => ({ ...one, id: patients[at]!, locationId: locations[one.at]!.id }))
      const run = await makeRun(server, world, { patients: those, state: 'done' })
      await sql(`update message set state = 'delivered', sent_at = now(), settled_at = now() where run_id = $1`, [
        run.id,
      ])
    }
    return {
      company,
      pharmacies: locations,
      username,
      email,
      patients,
      template,
      sql,
      endHold: async () => {
        // Messages written later would still wait their two minutes.
        const preparing = `select 1 from message_run where company_id = $1 and state = 'preparing'`
        while ((await sql(preparing, [company.id])).length > 0) await setTimeout(200)
        await sql(
          `update message set planned_at = now() where location_id = any ($1) and planned_at <= now() + interval '3 minutes'`,
          [ids],
        )
        await sql(`update message_batch set next_at = now() where location_id = any ($1) and next_at is not null`, [
          ids,
        ])
        await sql(`update message_run set starts_at = now() - interval '1 second' where company_id = $1`, [company.id])
      },
      hold: async (pharmacy, count) => {
        const id = ids[pharmacy]
        await sql(
          `update message m set planned_at = now() + case when n <= $2 then interval '1 hour' else interval '0' end
           from (select id, row_number() over (order by id desc) as n from message where location_id = $1 and state = 'queued') q
           where m.location_id = $1 and m.id = q.id`,
          [id, count],
        )
        await sql(`update message_batch set next_at = now() where location_id = $1 and num_queued > 0`, [id])
      },
    }
  })
}
