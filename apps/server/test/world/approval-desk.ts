import type { contract, ReplyOf } from '@pillar/contract'
import { type CampaignDesk, openDesk } from '../campaign-desk.ts'
import { asOwner, fresh, makeLogin, type SignedIn, signIn, stepUp, type TestLogin } from '../people.ts'

type State = ReplyOf<typeof contract.campaignApproval.state> & { message: string; run_id: string; id: string }

/** A person who may send campaigns. */
export interface Sender {
  login: TestLogin
  tab: SignedIn
}

/** A desk whose company requires a second person, and the people around it. */
export interface ApprovalDesk extends CampaignDesk {
  /** Another login of the company, besides the desk's own, which writes its campaigns. */
  second: Sender
  someone: (companyId?: number) => Promise<Sender>
  ask: (
    who: Sender | null,
    id: string,
    what: string,
    body?: object,
    action?: string,
  ) => Promise<{ status: number; body: State }>
  /** Makes a campaign and requests its approval. @returns its id and the hash */
  asked: (ceiling?: { max_people: number; max_cents: number }) => Promise<{ id: string; hash: string }>
  /** The same, approved by the second person. */
  approved: (ceiling?: { max_people: number; max_cents: number }) => Promise<{ id: string; hash: string }>
  activate: (id: string, body?: object) => Promise<{ status: number; body: State }>
  state: (id: string) => Promise<State>
  /** The company's log entries about a campaign, in order. */
  log: (id: string) => Promise<{ action: string; login_id: number | null; detail: Record<string, unknown> }[]>
  require: (on: boolean) => Promise<unknown>
  /** Adds a text for new campaigns. */
  text: (body: string) => Promise<{ id: string; edit: (to: string) => Promise<number> }>
}

export const CEILING = { max_people: 12, max_cents: 5_000 }

/** A desk with approval switched on. @param without names of jobs that do not run */
export async function openApprovalDesk(without: readonly string[] = []): Promise<ApprovalDesk> {
  const desk = await openDesk(undefined, {}, without)
  const { server, world } = desk
  const someone = async (companyId = world.company.id): Promise<Sender> => {
    const login = await makeLogin(server, companyId, { flags: ['data_analytics'] })
    return { login, tab: await signIn(server, login) }
  }
  const require = (on: boolean) =>
    asOwner(server, 'update messaging_setting set approval = $2 where company_id = $1', [world.company.id, on])
  const ask: ApprovalDesk['ask'] = async (who, id, what, body = {}, action) => {
    const headers = who
      ? action
        ? await stepUp(server, who, action, id)
        : who.tab.bearer
      : await desk.grant(action ?? 'save', id)
    return server.call<State>(desk.path(id, what), body, headers)
  }
  const second = await someone()
  await require(true)
  const asked: ApprovalDesk['asked'] = async (ceiling = CEILING) => {
    const id = await desk.create()
    const { status, body } = await ask(null, id, 'approval-request', ceiling)
    if (status !== 200) throw new Error(body.message)
    return { id, hash: body.hash! }
  }
  return {
    ...desk,
    ...{ second, someone, ask, asked, require },
    async approved(ceiling) {
      const made = await asked(ceiling)
      const { status, body } = await ask(second, made.id, 'approval-approve', { hash: made.hash }, 'activate')
      if (status !== 200) throw new Error(body.message)
      return made
    },
    activate: (id, body = {}) => ask(null, id, 'activate', { active: true, ...body }, 'activate'),
    state: async (id) => (await ask(null, id, 'approval')).body,
    log: (id) =>
      asOwner(server, 'select action, login_id, detail from audit where company_id = $2 and object = $1 order by id', [
        id,
        world.company.id,
      ]),
    async text(body) {
      const draft = (text: string, name: string) => ({
        ...{
          name,
          body: text,
          subject: '',
          sms_template: true,
          email_template: false,
          message_kind: 'health_outreach',
        },
        active: true,
      })
      const name = fresh('Text')
      const grant = await desk.grant('save', null)
      const made = await server.call<State>('/api/template/create/enterprise', draft(body, name), grant)
      if (made.status !== 200) throw new Error(made.body.message)
      const { id } = made.body
      return {
        id,
        edit: async (to) => {
          const headers = await desk.grant('save', id)
          const edited = await server.call<State>(`/api/template/${id}/edit/enterprise`, draft(to, name), headers)
          return edited.status
        },
      }
    },
  }
}
