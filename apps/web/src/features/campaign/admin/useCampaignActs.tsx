import { contract } from '@pillar/contract'
import type { AdminCampaign, CampaignOutcome } from '@pillar/contract/campaign/campaign-admin'
import type { Country } from '@pillar/domain/time/locale'
import { CirclePause, CirclePlay, MessageSquareText } from 'lucide-react'
import { useRef } from 'react'
import { send, useWrite } from '../../../api/client.ts'
import type { Act } from '../../../kit/list/acts.tsx'
import { bulkActs, type Edited, type Selection } from '../../../kit/list/bulk.ts'
import { chosenOf } from '../../../kit/list/selection.ts'
import { useCountry } from '../../../session/session.ts'
import { RefusedError } from '../../../shared/refused.ts'
import { AffectedTemplates } from './AffectedTemplates.tsx'
import { type Activation, activationOf } from './activation-words.ts'
import { type Chosen, campaigns } from './campaign-admin.ts'

const calls = contract.campaignAdmin
const NOUN = ['campaign', 'campaigns', ', inactive'] as const
const idOf = ({ campaign_id }: AdminCampaign) => campaign_id
const search = async (filter: object) => (await send(calls.search, { ...filter, paginate: false })).results

interface Screen {
  edit: (edited: Edited<AdminCampaign, Chosen>) => void
  /** Opens what a campaign has sent. */
  messages: (of: AdminCampaign) => void
  /** Shows the refused ones of several. */
  tell: (refused: readonly CampaignOutcome[]) => void
}

/** The acts on companies' campaigns, for one or many. */
export function useCampaignActs({ edit, messages, tell }: Screen): (selected: Selection<AdminCampaign>) => Act[] {
  const { remove, restore, turn } = useCampaignWrites()
  return (selected) => {
    const { rows, filter, clear } = selected
    const chosen = chosenOf('campaign_ids', selected, idOf)
    const [only] = rows.length === 1 ? rows : []
    const demo = rows.some((row) => row.demo) ? 'Demo campaigns cannot be edited or deleted' : undefined
    const finish = <Answer extends { outcomes: CampaignOutcome[] }>(answer: Answer | null): Answer | null => {
      if (!answer) return null
      clear()
      const refused = answer.outcomes.filter(({ done }) => !done)
      if (refused.length > 0) tell(refused)
      return answer
    }
    const on: Act = {
      label: 'Activate',
      icon: CirclePlay,
      run: async () => finish(await turn(true, chosen, filter ? await search(filter) : rows)),
    }
    const off: Act = {
      label: 'Deactivate',
      icon: CirclePause,
      run: async () => finish(await turn(false, chosen, rows)),
    }
    return bulkActs({
      ...{ selected, chosen, edit, noun: NOUN, search, restore: restore.mutateAsync },
      remove: async (of) => finish(await remove.mutateAsync(of)),
      deleted: (count) => `${campaigns({ expected_count: count })} deleted`,
      ...{ noEdit: demo, noDelete: demo },
      between: [
        ...(only ? [only.active ? off : on] : [on, off]),
        ...(only ? [{ label: 'Message info', icon: MessageSquareText, run: () => messages(only) }] : []),
      ],
    })
  }
}

/** How many campaigns are activated at a time: the server's own limit. */
const MOST_ACTIVATED = 20

/** Deleting, restoring and switching, each with its question. */
function useCampaignWrites() {
  const country = useCountry()
  const remove = useWrite(calls.remove, {
    ask: (input) => ({
      title: `Delete ${campaigns(input)}?`,
      consequence:
        'Unsent messages are cancelled. What was sent stays in the records. Can be restored for 30 days, inactive.',
      button: `Delete ${campaigns(input)}`,
      danger: true,
    }),
  })
  const restore = useWrite(calls.restoreMany)
  const forecasts = useRef<Activation | null>(null)
  const status = useWrite(calls.editActiveStatus, {
    ask: ({ active, ...chosen }) => {
      const sum = forecasts.current
      return {
        title: `${active ? 'Activate' : 'Deactivate'} ${campaigns(chosen)}?`,
        consequence: (
          <AffectedTemplates chosen={chosen} active={active}>
            {active && sum ? sum.words : 'Unsent messages are cancelled and the end date becomes today.'}
          </AffectedTemplates>
        ),
        button: active && sum ? sum.button : `Deactivate ${campaigns(chosen)}`,
      }
    },
    done: ({ updated }, { active }) =>
      `${campaigns({ expected_count: updated })} ${active ? 'activated' : 'deactivated'}`,
  })
  const turn = async (active: boolean, chosen: object, rows: readonly AdminCampaign[]) => {
    if (active && rows.length > MOST_ACTIVATED)
      throw new RefusedError(0, `Please activate at most ${MOST_ACTIVATED} campaigns at a time.`)
    forecasts.current = active ? await forecastOf(country, rows) : null
    if (forecasts.current?.refused) throw new RefusedError(0, forecasts.current.refused)
    return status.mutateAsync({ ...chosen, active, expected: forecasts.current?.expected ?? null })
  }
  return { remove, restore, turn }
}

/** What activating the inactive ones would send. */
async function forecastOf(own: Country, rows: readonly AdminCampaign[]): Promise<Activation> {
  const inactive = rows.filter((row) => !row.active)
  const all = inactive.map(async (campaign) => {
    const { campaign_id, company_id } = campaign
    return { campaign, forecast: await send(calls.forecast, { campaign_id, company_id }) }
  })
  return activationOf(own, await Promise.all(all), rows.length)
}
