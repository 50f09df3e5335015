import { contract, type ReplyOf } from '@pillar/contract'
import { expect } from 'vitest'
import { freshMobile, type MessagingWorld, makeMessagingWorld, makeTemplate } from './messaging.ts'
import { asOwner, fresh, makeLogin, signIn, stepUp } from './people.ts'
import { type Reply, startTestServer, type TestServer } from './server.ts'
import { makeSupport } from './support.ts'
import { addPeople, person } from './world/cohort-world.ts'

/** The answers of campaign calls, successful or refused. */
export type Body = Omit<ReplyOf<typeof contract.campaign.info>, 'pharmacies'> &
  ReplyOf<typeof contract.campaign.run> &
  ReplyOf<typeof contract.campaign.cohort> & { id: string; message: string; left: number; template_names: string[] }

export interface StoredMessage {
  state: string
  reason: string | null
  body: string | null
  parts: number
  cents: number
  planned_at: Date | null
}

/** A person who makes and sends campaigns: a server with its worker, two pharmacies, and 16 people of whom 11 get a text. */
export interface CampaignDesk {
  server: TestServer
  world: MessagingWorld
  /** The text that campaigns send. */
  template: { id: number; uuid: string }
  filters: { adherence: number[] }
  /** Ids of the pharmacies. */
  places: string[]
  path: (id: string, what: string) => string
  grant: (action: string, object: string | null) => Promise<Record<string, string>>
  read: (path: string, body?: object) => Promise<Reply<Body>>
  /** A call about a campaign that requires the password again. */
  write: (id: string, what: string, action: string, body?: object) => Promise<Reply<Body>>
  /** Makes an inactive campaign. @returns its id */
  create: (more?: object) => Promise<string>
  /** Waits until the messages of a campaign's run are written. @returns the run */
  prepared: (id: string) => Promise<Body>
  /** Headers of a person who has not entered the password again. */
  grantless: Record<string, string>
  messages: (id: string) => Promise<StoredMessage[]>
}

const text = (more: Parameters<typeof person>[0]) => person({ ...more, mobile: more?.sms_to ?? null })

/** @param at the clock's time when the desk opens; default now. @param env further settings @param without names of jobs that do not run */
export async function openDesk(
  at?: string,
  env: Record<string, string> = {},
  without: readonly string[] = [],
): Promise<CampaignDesk> {
  const server = await startTestServer({ work: true, env, without })
  if (at) server.clock.offsetMs = Date.parse(at) - Date.now()
  const world = await makeMessagingWorld(server, { locations: 2 })
  const login = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
  const tab = await signIn(server, login)
  const template = await makeTemplate(server, world.company.id)
  const shared = freshMobile()
  await addPeople(server, world, [
    ...Array.from({ length: 10 }, (_, index) => text({ at: index % 2, sms_to: freshMobile() })),
    text({ sms_to: shared, first_name: '王' }),
    text({ sms_to: shared, at: 1 }),
    text({ sms_to: freshMobile(), deceased: true }),
    text({ sms_to: freshMobile(), fake: true }),
    text({ sms_to: freshMobile(), sms_opt_out: true }),
    text({}),
    text({ sms_to: freshMobile(), adherence_level: 5 }),
  ])
  const filters = { adherence: [1, 2, 3] }
  const places = world.locations.map((location) => location.uuid)
  const grant = (action: string, object: string | null) => stepUp(server, { login, tab }, action, object)
  const read = (path: string, body: object = {}) => server.call<Body>(path, body, tab.bearer)
  const path = (id: string, what: string) => `/api/campaign/${id}/${what}/enterprise`
  const draft = { filters, goal_type: 'scripts', measure_by: 'value', goal: 5 }
  return {
    ...{ server, world, template, filters, places, path, grant, read, grantless: tab.bearer },
    write: async (id, what, action, body = {}) => server.call<Body>(path(id, what), body, await grant(action, id)),
    async create(more = {}) {
      const body = { ...draft, name: fresh('Run'), templates: [template.uuid], locations: places, ...more }
      const made = await server.call<Body>('/api/campaign/create/enterprise', body, await grant('save', null))
      expect([made.status, made.body.message]).toEqual([200, undefined])
      return made.body.id
    },
    async prepared(id) {
      await expect.poll(async () => (await read(path(id, 'run'))).body.state, { timeout: 20_000 }).toBe('holding')
      return (await read(path(id, 'run'))).body
    },
    messages: (id) =>
      asOwner<StoredMessage & Record<string, unknown>>(
        server,
        `select m.* from message m join message_run r on r.id = m.run_id join campaign c on c.id = r.campaign_id where c.uuid = $1 order by m.id`,
        [id],
      ),
  }
}

const { create, info } = contract.campaignAdmin

/** The campaigns of a desk's company and of another one, as support makes and finds them in the console. */
export async function openConsole() {
  const desk = await openDesk()
  const support = await makeSupport(desk.server)
  const other = await makeMessagingWorld(desk.server)
  const draft = (more: object = {}) => ({
    name: fresh('Flu'),
    goal_type: 'scripts' as const,
    measure_by: 'value' as const,
    goal: 5,
    company_id: desk.world.company.uuid,
    locations: desk.places,
    templates: [{ template_id: desk.template.uuid }],
    filters: desk.filters,
    ...more,
  })
  const make = async (more: object = {}) => String((await support.ask(create, draft(more))).body.id)
  return {
    ...{ desk, support, other, draft, make },
    /** One belonging to the other company. */
    async makeOther(more: object = {}) {
      const template = await makeTemplate(desk.server, other.company.id)
      return make({
        company_id: other.company.uuid,
        locations: other.locations.map(({ uuid }) => uuid),
        templates: [{ template_id: template.uuid }],
        ...more,
      })
    },
    named: async (id: string) => (await support.ask(info, { id })).body,
  }
}
