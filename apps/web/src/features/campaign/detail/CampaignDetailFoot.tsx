import { Button } from '@mantine/core'
import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import { counted, listOf } from '@pillar/domain/text/sentence'
import type { Day } from '@pillar/domain/time/day'
import { type Country, formatDate, formatNumber } from '@pillar/domain/time/locale'
import { CirclePause, CirclePlay, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send, useRead, useSend, useWrite } from '../../../api/client.ts'
import type { Question } from '../../../kit/dialog/question.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { notLoaded } from '../../../kit/display/Loaded.tsx'
import { toast } from '../../../kit/display/toast.tsx'
import { todayOf } from '../../../shared/today.ts'
import { toSend } from '../../run/run-words.ts'
import { ActivateDialog } from '../ActivateDialog.tsx'
import { useApproval } from '../approval/ApprovalNote.tsx'
import { notYetWords } from '../approval/approval-words.ts'
import { askOf, type Days, daysOf } from '../campaign-ask.ts'
import { deactivateWords } from '../campaign-words.ts'
import styles from './CampaignDetail.module.css'

interface FootProps {
  campaign: Campaign
  country: Country
  onError: (error: string | null) => void
}

/** What switching the campaign does, and the button for it. */
export function CampaignDetailFoot(props: FootProps) {
  const { campaign_id: id, active } = props.campaign
  const affected = useRead(calls.affected, { id, active: !active }, { staleTime: 0 })
  const templates: Templates = {
    ids: affected.data?.template_ids ?? [],
    names: affected.data?.template_names ?? [],
    known: affected.data !== undefined,
    failed: notLoaded('which templates it switches', affected),
    again: async () => (await affected.refetch()).error,
  }
  return active ? <Deactivate {...props} templates={templates} /> : <Activate {...props} templates={templates} />
}

/** The templates that switch with the campaign. */
interface Templates {
  ids: string[]
  names: readonly string[]
  known: boolean
  /** Why they are unknown, with a way to try again. */
  failed: ReactNode
  /** Reads them again, because others switch templates too. @returns why they could not be read, or null */
  again: () => Promise<Error | null>
}

interface SwitchProps extends FootProps {
  templates: Templates
}

function Deactivate({ campaign, country, onError, templates }: SwitchProps) {
  const { campaign_id: id, name } = campaign
  // The dialog polls the run, so it is newer than the campaign.
  const run = useRead(calls.run, { id }, { enabled: campaign.run_state !== null, staleTime: 0 })
  const progress = run.data?.progress ?? campaign.progress
  const write = useWrite(calls.activate, {
    ask: async () => deactivateQuestion(await leftNow(campaign), name, templates.names, country),
  })
  const deactivate = () => {
    onError(null)
    write.mutate(
      { id, active: false, templates: templates.ids },
      { onSuccess: (done) => done && toast('Campaign deactivated'), onError: (error) => onError(error.message) },
    )
  }
  return (
    <>
      <span className={styles.consequence}>
        {templates.known
          ? deactivateWords(progress ? toSend(progress) : 0, templates.names.length, country)
          : templates.failed}
      </span>
      <Button
        leftSection={<Icon of={CirclePause} />}
        loading={write.isPending}
        disabled={!templates.known}
        onClick={deactivate}
      >
        {write.isPending ? 'Inactivating...' : 'Deactivate…'}
      </Button>
    </>
  )
}

function Activate({ campaign, country, onError, templates }: SwitchProps) {
  const { campaign_id: id, name } = campaign
  const [activating, setActivating] = useState(false)
  const sendNow = useSend()
  const today = todayOf(country)
  const days = daysOf(campaign, today)
  const notYet = notYetWords(useApproval(id).data)
  const switched = counted(templates.names.length, 'template', 'templates')
  const open = async () => {
    const error = await templates.again()
    onError(error?.message ?? null)
    if (!error) setActivating(true)
  }
  return (
    <>
      <span className={styles.consequence}>
        {notYet || templates.failed || (templates.names.length > 0 ? `${switched} will be activated.` : '')}
      </span>
      <Button
        variant="filled"
        leftSection={<Icon of={CirclePlay} />}
        disabled={!templates.known || notYet !== ''}
        onClick={() => void open()}
      >
        Activate…
      </Button>
      {activating ? (
        <ActivateDialog
          name={name}
          object={id}
          ask={askOf(campaign, days)}
          also={
            <>
              <p>{daysWords(days, today, country)}</p>
              {campaign.run_state === null ? null : (
                <p>
                  It has been sent before. Its goal is counted anew from then; to keep the one it has, copy it instead.
                </p>
              )}
              {templates.names.length > 0 ? (
                <p>
                  {switched} will be activated: {listOf(templates.names)}.
                </p>
              ) : null}
            </>
          }
          act={async (grant, expected) => {
            const input = { id, active: true, templates: templates.ids, expected_messages: expected }
            await sendNow(calls.activate, input, grant)
            toast('Campaign activated')
            setActivating(false)
          }}
          onClose={() => setActivating(false)}
        />
      ) : null}
    </>
  )
}

/** 'The campaign starts today and runs until it is deactivated.' */
function daysWords({ start, end }: Days, today: Day, country: Country): string {
  const from = start === today ? 'today' : `on ${formatDate(country, start)}`
  const to = end === null ? 'until it is deactivated' : `to the end of ${formatDate(country, end)}`
  return `The campaign starts ${from} and runs ${to}.`
}

/** The number of messages not sent at this moment, read for the question that names it. */
async function leftNow(campaign: Campaign): Promise<number> {
  if (campaign.run_state === null) return 0
  return toSend((await send(calls.run, { id: campaign.campaign_id })).progress)
}

function deactivateQuestion(left: number, name: string, templates: readonly string[], country: Country): Question {
  return {
    title: `Deactivate “${name}”?`,
    consequence: (
      <>
        <p>
          {left > 0 ? `${deactivateWords(left, 0, country)} ` : ''}The campaign ends today and leaves the active
          campaigns.
        </p>
        {templates.length > 0 ? <p className="muted">Templates deactivated with it: {listOf(templates)}.</p> : null}
      </>
    ),
    button: left > 0 ? `Deactivate, cancel ${formatNumber(country, left)}` : 'Deactivate campaign',
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
  const remove = useWrite(calls.remove, {
    ask: async () => {
      const left = await leftNow(campaign)
      return {
        title: `Delete “${name}”?`,
        consequence: `${left > 0 ? `${deactivateWords(left, 0, country)} ` : ''}This can't be undone. What was sent stays in the records.`,
        button: 'Delete campaign',
        danger: true,
      }
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
