import { Button } from '@mantine/core'
import { type Campaign, campaign as calls } from '@pillar/contract/campaign'
import { type Country, formatNumber } from '@pillar/domain/locale'
import { counted, listOf } from '@pillar/domain/sentence'
import { CirclePause, CirclePlay, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRead, useSend, useWrite } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { toast } from '../../kit/display/toast.tsx'
import { ActivateDialog } from './ActivateDialog.tsx'
import styles from './CampaignDetail.module.css'
import { draftOfCampaign } from './campaign-draft.ts'
import { deactivateWords, toSend } from './campaign-words.ts'

interface FootProps {
  campaign: Campaign
  country: Country
  onError: (error: string | null) => void
}

/** What switching the campaign does, and the button that asks for it. */
export function CampaignDetailFoot({ campaign, country, onError }: FootProps) {
  const { campaign_id: id, active, name } = campaign
  const [activating, setActivating] = useState(false)
  const affected = useRead(calls.affected, { id, active: !active })
  const sendNow = useSend()
  const names = affected.data?.template_names ?? []
  const ids = affected.data?.template_ids ?? []
  const left = campaign.progress ? toSend(campaign.progress) : 0
  const does = deactivateWords(left, names.length, country)
  const write = useWrite(calls.activate, {
    ask: {
      title: `Deactivate “${name}”?`,
      consequence: (
        <>
          <p>{does} The campaign ends today and leaves the active campaigns.</p>
          {names.length > 0 ? <p className="muted">Turned off: {listOf(names)}.</p> : null}
        </>
      ),
      button: left > 0 ? `Deactivate, keep back ${formatNumber(country, left)}` : 'Deactivate campaign',
    },
  })
  const deactivate = () => {
    onError(null)
    write.mutate(
      { id, active: false, templates: ids },
      { onSuccess: (done) => done && toast('Campaign deactivated'), onError: (error) => onError(error.message) },
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
          onClick={deactivate}
        >
          {write.isPending ? 'Inactivating...' : 'Deactivate…'}
        </Button>
      </>
    )
  }
  return (
    <>
      <span className={styles.consequence}>
        {names.length > 0 ? `Activating turns on ${counted(names.length, 'template', 'templates')}.` : ''}
      </span>
      <Button
        variant="filled"
        leftSection={<Icon of={CirclePlay} />}
        disabled={affected.isPending}
        onClick={() => {
          onError(null)
          setActivating(true)
        }}
      >
        Activate…
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
          }}
          also={
            <>
              <p>
                The campaign starts today and runs until it is deactivated
                {campaign.end_date === null ? '.' : ': its end date is cleared.'}
              </p>
              {names.length > 0 ? (
                <p>
                  This turns on {counted(names.length, 'template', 'templates')}: {listOf(names)}.
                </p>
              ) : null}
            </>
          }
          act={async (grant, expected) => {
            const input = { id, active: true, templates: ids, expected_messages: expected }
            await sendNow(calls.activate, input, grant)
            setActivating(false)
          }}
          onClose={() => setActivating(false)}
        />
      ) : null}
    </>
  )
}

/** Delete, far left; not for demo campaigns. */
export function CampaignDetailFootLeft({
  campaign,
  country,
  onError,
  onDeleted,
}: FootProps & { onDeleted: () => void }) {
  const { campaign_id: id, name, demo } = campaign
  const left = campaign.progress ? toSend(campaign.progress) : 0
  const messages = left === 1 ? '1 message not sent yet is' : `${formatNumber(country, left)} messages not sent yet are`
  const kept = left > 0 ? ` ${messages} kept back.` : ''
  const remove = useWrite(calls.remove, {
    ask: {
      title: `Delete “${name}”?`,
      consequence: `It leaves every list and cannot be brought back.${kept} What was sent stays in the records.`,
      button: 'Delete campaign',
      danger: true,
    },
  })
  if (demo) return <span className={styles.consequence}>Demo campaigns cannot be edited or deleted.</span>
  const askFirst = () => {
    onError(null)
    remove.mutate(
      { id },
      {
        onSuccess: (done) => {
          if (!done) return
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
      onClick={askFirst}
    >
      Delete…
    </Button>
  )
}
