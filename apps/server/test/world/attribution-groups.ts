import { refreshCampaigns } from '../../src/features/attribution/campaign-result.queries.ts'
import { recountCampaigns } from '../../src/features/attribution/campaign-stat.queries.ts'
import { refreshTouches } from '../../src/features/attribution/touch.queries.ts'
import type { Reply } from '../server.ts'
import type { UploadServer } from '../upload.ts'
import {
  type AttributionWorld,
  type CampaignColumns,
  DATA_TO,
  delivered,
  type Line,
  makeAttributionWorld,
  SENT_AT,
  sentCampaign,
  skipped,
} from './attribution-world.ts'

/** Dollars of a group's people in the days that count, and in the same days a year before. */
export interface People {
  ids: string[]
  post: number[]
  pre: number[]
}

let seed = 42
/** Repeatable noise of about -25..25 dollars. */
function noise(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.round((seed / 2 ** 32 - 0.5) * 5000) / 100
}

/** What the people of all groups were dispensed. */
const GROUP_LINES: Line[] = []

function people(word: string, count: number, post: () => number, pre: (() => number) | null): People {
  const group: People = { ids: [], post: [], pre: [] }
  for (let at = 0; at < count; at++) {
    const id = `${word}${at}`
    const now = Math.round(post() * 100) / 100
    const before = pre ? Math.round(pre() * 100) / 100 : 0
    GROUP_LINES.push([id, '2026-09-20', 'D', now])
    if (pre) GROUP_LINES.push([id, '2025-09-20', 'D', before])
    group.ids.push(id)
    group.post.push(now)
    group.pre.push(before)
  }
  return group
}

const about = (dollars: number) => () => dollars + noise()

/** People to compare: 900 and 100 who all spend the same, as in campaign-result.test.ts of the domain, and others who spend with noise. */
export const GROUPS = {
  treated: people('a', 900, () => 58.2, null),
  withheld: people('b', 100, () => 52, null),
  // People who cannot be reached spend less in both years: only the change may matter, not the level.
  reached: people('c', 260, about(75), about(62)),
  unreached: people('d', 180, about(45), about(40)),
  nothing: people('e', 300, about(60), about(60)),
  nothingKept: people('f', 200, about(60), about(60)),
}

/** Dispensing days, 30 days apart: 600 days without a gap from 2025-01-01; two more follow after 19 days without. */
const FILLS = Array.from({ length: 20 }, (_, at) => new Date(Date.UTC(2025, 0, 1 + at * 30)).toISOString().slice(0, 10))
/** Ten with the same fills: a goal with fewer pairs has no value. */
export const STEADY = ['g1', ...Array.from({ length: 9 }, (_, at) => `h${at}`)]
/** How often each of STEADY filled in that time. */
export const fillsBetween = (from: string, to: string) => FILLS.filter((day) => day >= from && day <= to).length

const LINES: readonly Line[] = [
  ...GROUP_LINES,
  ['old', '2024-02-01', 'D', 10],
  ...STEADY.flatMap((id) => [...FILLS, '2026-09-12', '2026-10-12'].map((day): Line => [id, day, 'A', 20])),
  ['g2', '2026-10-01', 'D', 30],
  ['back', '2025-09-20', 'A', 10],
  ['back', '2026-09-20', 'A', 50],
  ['back', '2026-10-01', 'D', 20],
  ['back', '2026-10-05', 'A', -30],
]

export interface GroupsWorld extends AttributionWorld {
  /** A campaign sent on 10 September, with results: messages delivered to some, skipped with a reason for the others. */
  sent: (
    reached: readonly string[],
    kept?: Readonly<Record<string, readonly string[]>>,
    columns?: CampaignColumns,
  ) => Promise<string>
  /** A campaign's results, as the head office sees them. */
  ask: (
    campaign: string,
    more?: object,
  ) => Promise<Reply<Record<string, unknown> & { pharmacies: Record<string, unknown>[] }>>
}

/** The groups, the steady ones and a few with individual histories, in one pharmacy. */
export async function makeGroupsWorld(server: UploadServer): Promise<GroupsWorld> {
  const patients = [...new Set(LINES.map(([patient]) => patient))]
  const world = await makeAttributionWorld(server, patients, LINES)
  const place = { id: world.pharmacy.id, timeZone: 'Australia/Sydney', dataTo: DATA_TO }
  return {
    ...world,
    sent: async (reached, kept = {}, columns) => {
      const settled = Object.fromEntries(Object.entries(kept).map(([reason, ids]) => [skipped(reason), ids]))
      const { uuid } = await sentCampaign(server, world, { [delivered(SENT_AT)]: reached, ...settled }, columns)
      await world.inside((tx) => refreshTouches(tx, place))
      await world.inside((tx) => recountCampaigns(tx, place.id))
      await world.inside((tx) => refreshCampaigns(tx, place))
      return uuid
    },
    ask: (campaign_id, more = {}) =>
      server.call('/api/campaign/enterprise/stats', { campaign_id, ...more }, world.bearer),
  }
}
