import { Button } from '@mantine/core'
import { type Campaign, campaign as calls } from '@pillar/contract/campaign'
import { activationDays } from '@pillar/domain/campaign/campaign-rule'
import { counted, listOf } from '@pillar/domain/text/sentence'
import { formatDay, parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatNumber } from '@pillar/domain/time/locale'
import { CirclePause, CirclePlay, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { send, useGrantedWrite, useRead } from '../../../api/client.ts'
import { Icon } from '../../../kit/Icon.tsx'
import { toast } from '../../../kit/toast.tsx'
import { useReauth } from '../../../kit/useReauth.ts'
import { toSend } from '../../run/run-words.ts'
import { ActivateDialog } from '../ActivateDialog.tsx'
import { deactivateWords } from '../campaign-words.ts'
import { draftOfCampaign } from '../form/campaign-draft.ts'
import { todayOf } from '../form/useCampaignForm.ts'
import styles from './CampaignDetail.module.css'

interface FootProps {
  campaign: Campaign
  country: Country
  onError: (error: string | null) => void
}

/** What switching the campaign does, and the button that asks for it. */
export function CampaignDetailFoot({ campaign, country, onError }: FootProps) {
  const { campaign_id: id, active, name } = campaign
  const [activating, setActivating] = useState(false)
  const { ask } = useReauth()
  const affected = useRead(calls.affected, { id, active: !active })
  const write = useGrantedWrite(calls.activate)
  const names = affected.data?.template_names ?? []
  const ids = affected.data?.template_ids ?? []
  // The run is what the dialog polls: it is newer than the campaign.
  const run = useRead(calls.run, { id }, { enabled: campaign.run_state !== null, staleTime: 0 })
  const progress = run.data?.progress ?? campaign.progress
  const does = deactivateWords(progress ? toSend(progress) : 0, names.length, country)
  const today = todayOf(country)
  const days = activationDays({ start: null, end: undefined }, savedDays(campaign), today)
  const deactivate = async () => {
    onError(null)
    const left = await leftNow(campaign, onError)
    if (left === null) return
    const granted = await ask({
      title: `Deactivate “${name}”?`,
      consequence: (
        <>
          <p>
            {left > 0 ? `${deactivateWords(left, 0, country)} ` : ''}The campaign ends today and leaves the active
            campaigns.
          </p>
          {names.length > 0 ? <p className="muted">Templates deactivated with it: {listOf(names)}.</p> : null}
        </>
      ),
      action: 'deactivate',
      object: id,
      button: left > 0 ? `Deactivate, cancel ${formatNumber(country, left)}` : 'Deactivate campaign',
    })
    if (!granted) return
    write.mutate(
      { input: { id, active: false, templates: ids }, grant: granted.grant },
      { onSuccess: () => toast('Campaign deactivated'), onError: (error) => onError(error.message) },
    )
  }
  if (active) {
    return (
      <>
        <span className={styles.consequence}>{affected.isPending ? '' : does}</span>
        <Button
          leftSection={<Icon of={CirclePause} />}
          loading={write.isPending}
          disabled={affected.isPending}
          onClick={() => void deactivate()}
        >
          {write.isPending ? 'Inactivating...' : 'Deactivate…'}
        </Button>
      </>
    )
  }
  return (
    <>
      <span className={styles.consequence}>
        {names.length > 0 ? `${counted(names.length, 'template', 'templates')} will be activated.` : ''}
      </span>
      <Button
        variant="filled"
        leftSection={<Icon of={CirclePlay} />}
        loading={write.isPending}
        disabled={affected.isPending}
        onClick={() => {
          onError(null)
          setActivating(true)
        }}
      >
        {write.isPending ? 'Activating...' : 'Activate…'}
      </Button>
      {activating ? (
        <ActivateDialog
          name={name}
          object={id}
          ask={{
            filters: campaign.filters,
            pharmacies: campaign.pharmacies,
            templates: draftOfCampaign(campaign).templates,
            campaign_id: id,
            start_date: formatDay(days.start),
            end_date: days.end === null ? null : formatDay(days.end),
          }}
          also={
            <>
              <p>
                The campaign starts {days.start === today ? 'today' : `on ${formatDate(country, days.start)}`} and runs{' '}
                {days.end === null ? 'until it is deactivated' : `to the end of ${formatDate(country, days.end)}`}.
              </p>
              {names.length > 0 ? (
                <p>
                  {counted(names.length, 'template', 'templates')} will be activated: {listOf(names)}.
                </p>
              ) : null}
            </>
          }
          act={async (grant, expected) => {
            const input = { id, active: true, templates: ids, expected_messages: expected }
            await write.mutateAsync({ input, grant })
            setActivating(false)
          }}
          onClose={() => setActivating(false)}
        />
      ) : null}
    </>
  )
}

const savedDays = ({ start_date, end_date, ended_early }: Campaign) => ({
  start: start_date === null ? null : parseDay(start_date),
  end: end_date === null ? null : parseDay(end_date),
  endedEarly: ended_early,
})

/** How many messages have not left at this moment, read for the question that names them; null, and said, when that fails. */
async function leftNow(campaign: Campaign, onError: FootProps['onError']): Promise<number | null> {
  if (campaign.run_state === null) return 0
  try {
    return toSend((await send(calls.run, { id: campaign.campaign_id })).progress)
  } catch (thrown) {
    onError(thrown instanceof Error ? thrown.message : 'Could not read how many messages are left.')
    return null
  }
}

/** Delete, far left; not for demo campaigns. */
export function CampaignDetailFootLeft({
  campaign,
  country,
  onError,
  onDeleted,
}: FootProps & { onDeleted: () => void }) {
  const { campaign_id: id, name, demo } = campaign
  const { ask } = useReauth()
  const remove = useGrantedWrite(calls.remove)
  if (demo) return <span className={styles.consequence}>Demo campaigns cannot be edited or deleted.</span>
  const askFirst = async () => {
    onError(null)
    const left = await leftNow(campaign, onError)
    if (left === null) return
    const kept = left > 0 ? `${deactivateWords(left, 0, country)} ` : ''
    const granted = await ask({
      title: `Delete “${name}”?`,
      consequence: `${kept}This can't be undone. What was sent stays in the records.`,
      action: 'delete',
      object: id,
      button: 'Delete campaign',
      danger: true,
    })
    if (!granted) return
    remove.mutate(
      { input: { id }, grant: granted.grant },
      {
        onSuccess: () => {
          toast('Campaign deleted')
          onDeleted()
        },
        onError: (error) => onError(error.message),
      },
    )
  }
  return (
    <Button
      variant="subtle"
      className={styles.delete}
      leftSection={<Icon of={Trash2} />}
      loading={remove.isPending}
      onClick={() => void askFirst()}
    >
      Delete…
    </Button>
  )
}
