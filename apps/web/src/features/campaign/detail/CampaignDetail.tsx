import { Button } from '@mantine/core'
import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import { campaignApproval } from '@pillar/contract/campaign/campaign-approval'
import { formatGoalAmount, goalText, isRed } from '@pillar/domain/campaign/goal'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Calendar, CalendarClock, Copy, Paperclip, Pencil } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { nameOf, useRead } from '../../../api/client.ts'
import type { OpenDialog } from '../../../frame/dialog-address.ts'
import { GoalMeter } from '../../../kit/display/figure/GoalMeter.tsx'
import { ProgressBar } from '../../../kit/display/figure/ProgressBar.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { IfNotRefreshed } from '../../../kit/display/Loaded.tsx'
import { todayOf } from '../../../shared/today.ts'
import { RunFailed, RunPanel } from '../../run/RunPanel.tsx'
import { isLive, type Run, runEvery } from '../../run/run-words.ts'
import { ApprovalNote, saysWhyHeld, useApproval } from '../approval/ApprovalNote.tsx'
import { CampaignTags } from '../CampaignTags.tsx'
import {
  attachmentWords,
  datesWords,
  daysLeftWords,
  elapsedWords,
  goalMethodWords,
  goalPercent,
  meterOf,
  noValueWords,
  paceWords,
  wayWords,
} from '../campaign-words.ts'
import { AttachmentsDialog } from './AttachmentsDialog.tsx'
import styles from './CampaignDetail.module.css'
import { CampaignDetailTable } from './CampaignDetailTable.tsx'

interface CampaignDetailProps {
  campaign: Campaign
  country: Country
  open: OpenDialog
}

/** One campaign: its goal, the states of its messages, and its results at each pharmacy. */
export function CampaignDetail({ campaign, country, open }: CampaignDetailProps) {
  const id = campaign.campaign_id
  const run = useRead(calls.run, { id }, { enabled: campaign.run_state !== null, staleTime: 0, every: runEvery })
  const newest = run.data?.run_id ? run.data : null
  const { data: approval } = useApproval(id)
  useFreshWhenMoved(newest)
  const progress = newest?.progress ?? campaign.progress
  return (
    <>
      <div className={styles.head}>
        <Head campaign={campaign} country={country} open={open} />
        <div className={styles.state}>
          <Goal campaign={campaign} country={country} />
          <div>
            <h4>{progress ? messagesWords(progress.messages, country) : 'Nothing has been sent yet'}</h4>
            {progress ? <ProgressBar country={country} counts={progress} /> : null}
          </div>
        </div>
        <IfNotRefreshed read={run} what="how the messages stand" />
        {newest ? (
          <RunPanel campaign={campaign} run={newest} country={country} reasonShown={saysWhyHeld(approval)} />
        ) : run.isError ? (
          <RunFailed error={run.error} onRetry={() => void run.refetch()} />
        ) : null}
      </div>
      <CampaignDetailTable campaign={campaign} run={newest} country={country} />
    </>
  )
}

/**
 * When the run changes state, and again when its last messages are counted, this reads the campaign and its lists again; and its figures after
 * the last messages settle.
 */
export function useFreshWhenMoved(run: Run | null): void {
  const client = useQueryClient()
  const settled = run && !isLive(run) ? run.progress.delivered + run.progress.failed : null
  const now = run && `${run.run_id} ${run.state} ${!isLive(run) && run.counting}`
  const seen = useRef({ now, settled })
  useEffect(() => {
    const before = seen.current
    seen.current = { now, settled }
    if (before.now !== null && before.now !== now) {
      for (const call of [calls.info, calls.list, campaignApproval.state])
        void client.invalidateQueries({ queryKey: [nameOf(call)] })
    }
    if (settled !== null && before.settled !== settled && before.now !== null) {
      void client.invalidateQueries({ queryKey: [nameOf(calls.stats)] })
    }
  }, [now, settled, client])
}

const messagesWords = (count: number, country: Country) =>
  `${formatNumber(country, count)} ${count === 1 ? 'message' : 'messages'}`

function Head({ campaign, country, open }: CampaignDetailProps) {
  const [attached, setAttached] = useState(false)
  const attachments = attachmentWords(campaign)
  const left = daysLeftWords(campaign, todayOf(country))
  const red = campaign.active && isRed(campaign.days_left)
  return (
    <>
      <div className={styles.title}>
        <h3>
          <Link to="/campaigns/$id" params={{ id: campaign.campaign_id }} search={{}} className={styles.name}>
            {campaign.name}
          </Link>
        </h3>
        <div className={styles.buttons}>
          {attachments ? (
            <Button size="xs" leftSection={<Icon of={Paperclip} size={14} />} onClick={() => setAttached(true)}>
              {attachments}
            </Button>
          ) : null}
          <Button
            size="xs"
            leftSection={<Icon of={Copy} size={14} />}
            onClick={() => open('new-campaign', { campaign: campaign.campaign_id })}
          >
            Copy
          </Button>
          {campaign.demo ? null : (
            <Button
              size="xs"
              leftSection={<Icon of={Pencil} size={14} />}
              onClick={() => open('edit-campaign', { campaign: campaign.campaign_id })}
            >
              Edit
            </Button>
          )}
        </div>
      </div>
      <div className={styles.meta}>
        <CampaignTags campaign={campaign} />
        {campaign.author ? <span>By {campaign.author}</span> : null}
        <span className={styles.dates}>
          <Icon of={red ? CalendarClock : Calendar} size={14} />
          {datesWords(campaign, country)}
          {left ? <span className={red ? styles.red : undefined}>, {left}</span> : null}
        </span>
        {campaign.no_holdout ? <span>Keeps nobody back</span> : null}
      </div>
      {campaign.description ? <p className={styles.description}>{campaign.description}</p> : null}
      <ApprovalNote campaign={campaign} country={country} place="dialog" />
      {attached ? <AttachmentsDialog campaign={campaign} open={open} onClose={() => setAttached(false)} /> : null}
    </>
  )
}

export function Goal({ campaign, country }: Pick<CampaignDetailProps, 'campaign' | 'country'>) {
  const { goal_type: type, measure_by: measureBy, goal: amount, current_goal_value: value } = campaign
  if (type === null || measureBy === null || amount === null) {
    return (
      <div>
        <h4>No goal</h4>
      </div>
    )
  }
  const goal = { type, measureBy, amount }
  const words = goalText(country, goal)
  const percent = goalPercent(campaign)
  const elapsed = elapsedWords(campaign, todayOf(country))
  const method = goalMethodWords(campaign)
  const pace = paceWords(campaign, country)
  return (
    <div>
      <h4>
        Goal: {words.charAt(0).toLowerCase()}
        {words.slice(1)}
      </h4>
      <GoalMeter
        fill={value === null ? null : meterOf(campaign)}
        value={value === null ? noValueWords(campaign) : formatGoalAmount(country, goal, value)}
        goal={formatGoalAmount(country, goal, amount)}
      />
      <p className={styles.under}>
        {percent === null
          ? campaign.goal_place.started
            ? 'Measured when sales data arrives'
            : ''
          : wayWords(percent, country)}
        {percent !== null && elapsed ? ` ${elapsed}` : ''}
      </p>
      {pace ? <p className={styles.under}>{pace}</p> : null}
      {method ? <p className={styles.counts}>{method}</p> : null}
    </div>
  )
}
