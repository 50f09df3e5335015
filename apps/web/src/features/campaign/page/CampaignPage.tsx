import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import { counted, joined } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useRead } from '../../../api/client.ts'
import { PharmacyLink } from '../../../frame/PharmacyLink.tsx'
import { LinkButton } from '../../../kit/display/LinkButton.tsx'
import { IfNotRefreshed, Loaded } from '../../../kit/display/Loaded.tsx'
import { Page } from '../../../kit/display/Page.tsx'
import { AsAt, Crumbs } from '../../../kit/display/PageHead.tsx'
import { Loading } from '../../../kit/display/states.tsx'
import { Tabs } from '../../../kit/display/Tabs.tsx'
import { useCountry } from '../../../session/session.ts'
import { todayOf } from '../../../shared/today.ts'
import { ageTexts } from '../../attribution/message-words.ts'
import { RunFailed, RunPanel } from '../../run/RunPanel.tsx'
import { runEvery, toSend } from '../../run/run-words.ts'
import { ApprovalNote, saysWhyHeld, useApproval } from '../approval/ApprovalNote.tsx'
import { CampaignTags } from '../CampaignTags.tsx'
import { datesWords, daysLeftWords } from '../campaign-words.ts'
import { useFreshWhenMoved } from '../detail/CampaignDetail.tsx'
import { CampaignDetailTable } from '../detail/CampaignDetailTable.tsx'
import { type StatsReply, selectedWords } from '../detail/stats-words.ts'
import { CampaignFigures } from './CampaignFigures.tsx'
import styles from './CampaignPage.module.css'
import { CampaignPictures } from './CampaignPictures.tsx'
import type { CampaignSearch } from './campaign-search.ts'
import { GoalSection } from './GoalSection.tsx'

/** One campaign: its state, cost, revenue and its certainty, goal, charts, and its tables as tabs. */
export function CampaignPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const country = useCountry()
  const info = useRead(calls.info, { id })
  const stats = useRead(calls.stats, { campaign_id: id })
  const campaign = info.data
  return (
    <Page
      title={campaign?.name ?? 'Campaign'}
      heading={
        <Crumbs
          up={
            <Link to="/campaigns" search={{}}>
              Campaigns
            </Link>
          }
        >
          {campaign?.name ?? 'Campaign'}
        </Crumbs>
      }
      asAt={stats.data ? <AsAt texts={ageTexts(country, stats.data, stats.isError)} /> : null}
      actions={campaign ? <Open campaign={campaign} /> : null}
    >
      <div className={styles.scroll}>
        <Loaded
          read={info}
          what="the campaign"
          back={
            <LinkButton to="/campaigns" search={{ dialog: 'campaigns' }}>
              All campaigns
            </LinkButton>
          }
        >
          {(known) => <Known campaign={known} stats={stats.data} country={country} />}
        </Loaded>
      </div>
    </Page>
  )
}

/** The campaign's dialog has activating, editing and deleting. */
function Open({ campaign }: { campaign: Campaign }) {
  return (
    <LinkButton to="/campaigns" search={{ dialog: 'campaigns', campaign: campaign.campaign_id }}>
      {campaign.active ? 'Edit or deactivate…' : 'Edit or activate…'}
    </LinkButton>
  )
}

function Known({ campaign, stats, country }: { campaign: Campaign; stats: StatsReply | undefined; country: Country }) {
  const id = campaign.campaign_id
  const { tab } = useSearch({ strict: false }) as CampaignSearch
  const run = useRead(calls.run, { id }, { enabled: campaign.run_state !== null, staleTime: 0, every: runEvery })
  const newest = run.data?.run_id ? run.data : null
  const { data: approval } = useApproval(id)
  useFreshWhenMoved(newest)
  const progress = newest?.progress ?? campaign.progress
  const waiting = progress ? toSend(progress) : 0
  const left = daysLeftWords(campaign, todayOf(country))
  return (
    <>
      <div className={styles.meta}>
        <CampaignTags campaign={campaign} />
        {campaign.author ? <span>By {campaign.author}</span> : null}
        <span>
          {datesWords(campaign, country)}
          {left ? `, ${left}` : ''}
        </span>
        {waiting > 0 ? <span>{counted(waiting, 'message', 'messages')} to send</span> : null}
        {stats ? <span>{selectedWords(country, stats.total_result, campaign)}</span> : null}
        {campaign.description ? <span>{campaign.description}</span> : null}
      </div>
      {/* On the Messages tab a run that could not be read is reported where it would be. */}
      <IfNotRefreshed
        read={{ ...run, data: tab === 'messages' ? run.data : (run.data ?? campaign.run_state) }}
        what="how the messages stand"
      />
      <ApprovalNote campaign={campaign} country={country} place="page" />
      <CampaignFigures campaign={campaign} country={country} />
      <GoalSection campaign={campaign} country={country} />
      <CampaignPictures campaign={campaign} country={country} />
      <Tabs
        label="Tables of the campaign"
        tabs={[
          { label: 'Pharmacies', search: {}, on: tab === undefined },
          { label: 'Messages', search: { tab: 'messages' }, on: tab === 'messages' },
          { label: 'Set-up', search: { tab: 'set-up' }, on: tab === 'set-up' },
        ]}
      />
      {tab === undefined ? (
        <CampaignDetailTable campaign={campaign} run={newest} country={country} />
      ) : tab === 'set-up' ? (
        <SetUp campaign={campaign} />
      ) : newest ? (
        <div className={styles.part}>
          <RunPanel campaign={campaign} run={newest} country={country} reasonShown={saysWhyHeld(approval)} />
        </div>
      ) : run.isError ? (
        <RunFailed error={run.error} onRetry={() => void run.refetch()} />
      ) : run.isLoading ? (
        <Loading />
      ) : (
        <p className={`${styles.part} muted`}>Nothing has been sent yet.</p>
      )}
    </>
  )
}

/** What it sends, to which patients, and the note. */
function SetUp({ campaign }: { campaign: Campaign }) {
  const { templates, locations, no_holdout, note } = campaign
  return (
    <dl className={styles.setUp}>
      <dt>Templates</dt>
      <dd>{joined(templates.map(({ template_name }) => template_name)) || 'None'}</dd>
      <dt>Pharmacies</dt>
      <dd>
        {locations.map(({ location_id, location_name }, index) => (
          <Fragment key={location_id}>
            {index > 0 ? ', ' : ''}
            <PharmacyLink id={location_id} name={location_name} />
          </Fragment>
        ))}
      </dd>
      <dt>Kept back</dt>
      <dd>{no_holdout ? 'Nobody' : 'As your company’s sending rules say'}</dd>
      <dt>Note</dt>
      <dd>{note ?? 'No note'}</dd>
    </dl>
  )
}
