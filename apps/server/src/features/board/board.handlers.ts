import { type contract, Refusal } from '@pillar/contract'
import type { BoardData } from '@pillar/contract/board'
import type { Flag } from '@pillar/domain/access/permission'
import { threeDigits } from '@pillar/domain/average/average'
import { typesFor } from '@pillar/domain/board/board'
import { shownReach } from '@pillar/domain/board/reach'
import { dashboardAddress } from '@pillar/domain/dashboard/dashboard'
import { type Context, callerOf, type HandlersOf, type Services, tenantTx } from '../../api/context.ts'
import { boardsOrigin } from '../../api/frame/boards.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { SupersetFailure } from '../../gateways/superset.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import {
  findGuest,
  type OwnDashboard,
  readClassAdherence,
  readDashboards,
  readPublications,
  readReach,
} from './board.queries.ts'
import { classesOf, monthKey, monthsAnswer, onMonths, sorted, yearAnswer } from './board-answer.ts'
import { countDeadToken, countRead } from './board-throttle.ts'
import { readGuest, signGuest } from './guest-token.ts'

const NO_ADDRESS =
  'Pillar’s own boards need an address of their own, which this installation does not have. Ask support to set BOARDS_URL.'
const ENDED = 'The access to this board has ended. Open Analytics again.'

export const boardHandlers: HandlersOf<typeof contract.board> = {
  async list({ active }, context) {
    const found = await mine(tenantTx(context), context, active)
    return found.map(({ products: _, ...one }) => ({ ...one, domain_url: addressOf(one, context.services) ?? '' }))
  },

  async token({ dashboard_id }, context) {
    const { services } = context
    const { companyId, sessionId, username, scope } = callerOf(context)
    const found = await inScope(services.pools.app, scope, (tx) => mine(tx, context, true))
    // A dashboard of another company, of a type the caller may not see, or none at all: the answer is the same.
    const dashboard = found.find((one) => one.dashboard_id === dashboard_id)
    if (!dashboard) throw new Refusal('not_found', 'That dashboard was not found.')
    if (isOwn(dashboard, services)) {
      if (!boardsOrigin(services)) throw new Refusal('unavailable', NO_ADDRESS)
      const guest = { dashboardId: dashboard_id, companyId, sessionId, username }
      return { token: await signGuest(guest, services.secret, services.now()) }
    }
    try {
      return { token: await services.superset!.guestToken({ dashboardId: dashboard_id, username, companyId }) }
    } catch (error) {
      if (!(error instanceof SupersetFailure)) throw error
      services.log.warn({ reason: error.message }, 'no token for a dashboard')
      throw new Refusal('unavailable', error.message)
    }
  },

  // Checks again what the token was given for: a board that support moved to an outside address no longer answers.
  async data({ token, drug_class }, { services, address }) {
    const guest = await readGuest(token, services.secret, services.now())
    const person = guest && (await findGuest(services.pools.system, guest.sessionId))
    if (!guest || !person || person.company_id !== guest.companyId) {
      await countDeadToken(services, address)
      throw new Refusal('not_found', ENDED)
    }
    await countRead(services, guest.sessionId)
    const flags = new Set((['supplier_analytics', 'ad_analytics'] as const).filter((flag) => person[flag]))
    const scope = { companyId: guest.companyId, locationIds: person.location_ids }
    return inScope(services.pools.app, scope, async (tx) => {
      const shown = allowed(await readDashboards(tx, guest.companyId, true), flags, services)
      const dashboard = shown.find((one) => one.dashboard_id === guest.dashboardId)
      if (!dashboard || !isOwn(dashboard, services)) throw new Refusal('not_found', ENDED)
      return answerFor(tx, { dashboard, companyId: guest.companyId, country: person.country }, drug_class ?? null)
    })
  },
}

/** The dashboards of the caller's company that its flags open and whose host is still allowed. */
async function mine(tx: Tx, context: Context, active: boolean): Promise<OwnDashboard[]> {
  const { companyId, flags } = callerOf(context)
  return allowed(await readDashboards(tx, companyId, active), flags, context.services)
}

/** The dashboards whose type the flags open and whose host is allowed now. */
function allowed(found: readonly OwnDashboard[], flags: ReadonlySet<Flag>, { env }: Services): OwnDashboard[] {
  const types = typesFor(flags)
  return found.filter(
    (one) => types.includes(one.dashboard_type) && dashboardAddress(one.domain_url, env.DASHBOARD_HOSTS) !== null,
  )
}

/** Whether Pillar itself shows a dashboard: without an analytics server all of them, otherwise those at the boards' own address. */
const isOwn = ({ domain_url }: Pick<OwnDashboard, 'domain_url'>, { superset, env }: Services) =>
  superset === null || (env.BOARDS_URL !== undefined && new URL(domain_url).origin === new URL(env.BOARDS_URL).origin)

const addressOf = (dashboard: Pick<OwnDashboard, 'domain_url'>, services: Services) =>
  isOwn(dashboard, services) ? boardsOrigin(services) : (services.env.SUPERSET_BROWSER_URL ?? dashboard.domain_url)

interface Shown {
  dashboard: OwnDashboard
  companyId: number
  country: BoardData['country']
}

/** The content of a board: published figures of the network, and for advertising the messages of the company's own pharmacies. */
async function answerFor(tx: Tx, { dashboard, companyId, country }: Shown, wanted: string | null): Promise<BoardData> {
  const { months, years } = sorted(await readPublications(tx, companyId))
  const drug_classes = classesOf(months, dashboard)
  const drug_class = wanted && drug_classes.includes(wanted) ? wanted : (drug_classes[0] ?? null)
  const { name, dashboard_type } = dashboard
  const reach = dashboard_type === 'Advertiser' ? await reachOf(tx) : null
  const head = { name, dashboard_type, country, drug_classes, drug_class, reach }
  if (drug_class === null) return { ...head, ...NOTHING }
  const shown = monthsAnswer(months, drug_class, dashboard)
  const adherent = await readClassAdherence(tx, companyId, categoryId('Drug Type'), drug_class)
  return {
    ...head,
    ...shown,
    adherence: onMonths(shown.months, adherent, (row) => threeDigits(row.adherent / row.measured)),
    year: yearAnswer(years, drug_class, country),
  }
}

const NOTHING = { months: [], pharmacies: [], scripts: [], shares: [], seasons: [], adherence: [], year: null }

/** Months of messages, as far as each may be shown. */
async function reachOf(tx: Tx): Promise<NonNullable<BoardData['reach']>> {
  const rows = await readReach(tx)
  return rows.map(({ period, ...month }) => ({ month: monthKey(period), ...shownReach(month) }))
}
