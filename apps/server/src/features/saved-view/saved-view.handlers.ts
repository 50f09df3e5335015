import { type contract, Refusal } from '@pillar/contract'
import { MOST_VIEWS, mayChangeView, viewProblems } from '@pillar/domain/saved-view/saved-view'
import { problemSentence } from '@pillar/domain/text/sentence'
import { noteChange } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import {
  changeView,
  countViews,
  deleteView,
  insertView,
  listViews,
  lockView,
  saveDefault,
  type ViewRow,
} from './saved-view.queries.ts'

const TAKEN = 'A view of that name exists. Please choose another name.'
const MEANWHILE =
  'Somebody else changed this view in the meantime. Nothing was saved. Please open it again and make your change.'

const mayChange = ({ mine, shared, maker_gone }: ViewRow) => mayChangeView({ mine, shared, makerGone: maker_gone })

export const savedViewHandlers: HandlersOf<typeof contract.savedView> = {
  async list(_input, context) {
    const rows = await listViews(tenantTx(context), callerOf(context).loginId)
    return {
      views: rows.map((row) => ({
        id: row.uuid,
        name: row.name,
        shared: row.shared,
        state: row.state,
        mine: row.mine,
        made_by: row.made_by,
        may_change: mayChange(row),
        is_default: row.is_default,
        changed_at: row.changed_at.toISOString(),
        version: row.version,
      })),
    }
  },

  async create({ name, shared, state }, context) {
    const { companyId, loginId } = callerOf(context)
    const tx = tenantTx(context)
    const clean = cleanName(name)
    if ((await countViews(tx, loginId)) >= MOST_VIEWS) {
      throw new Refusal('conflict', `You have ${MOST_VIEWS} views. Please remove one first.`)
    }
    const made = await insertView(tx, { name: clean, shared, state, companyId, loginId, now: context.services.now() })
    if (made === null) throw new Refusal('conflict', TAKEN, { errors: { name: [TAKEN] } })
    return { id: made, version: 1 }
  },

  async edit({ id, name, shared, state, version }, context) {
    const view = await changeable(context, id)
    if (version != null && version !== view.version) throw new Refusal('conflict', MEANWHILE)
    const to = { name: name === undefined ? view.name : cleanName(name), shared: shared ?? view.shared }
    noteChange(context, id, { name: view.name, shared: view.shared }, to)
    context.about.name = to.name
    const whole = { ...to, state: state ?? view.state }
    const changed = await changeView(tenantTx(context), view.id, whole, context.services.now())
    if (changed === null) throw new Refusal('conflict', TAKEN, { errors: { name: [TAKEN] } })
    return { version: changed }
  },

  async remove({ id }, context) {
    const view = await changeable(context, id)
    context.about.name = view.name
    await deleteView(tenantTx(context), view.id)
    return { removed: true }
  },

  async setDefault({ id }, context) {
    const view = id === null ? null : await seen(context, id)
    context.about.name = view?.name ?? null
    await saveDefault(tenantTx(context), callerOf(context), view?.id ?? null)
    return { saved: true }
  },
}

function cleanName(name: string): string {
  const problems = viewProblems(name)
  if (problems.length === 0) return name.trim()
  const sentence = problemSentence(problems)
  throw new Refusal('invalid', sentence, { errors: { name: [sentence] } })
}

async function seen(context: Context, uuid: string): Promise<ViewRow> {
  const view = await lockView(tenantTx(context), callerOf(context).loginId, uuid)
  if (!view) throw new Refusal('not_found', 'That view was not found.')
  return view
}

async function changeable(context: Context, uuid: string): Promise<ViewRow> {
  const view = await seen(context, uuid)
  if (mayChange(view)) return view
  throw new Refusal(
    'not_allowed',
    `Only ${view.made_by ?? 'whoever made it'} can change this view. Save one of your own.`,
  )
}
