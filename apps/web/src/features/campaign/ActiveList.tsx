import { Button } from '@mantine/core'
import type { Campaign } from '@pillar/contract/campaign/campaign'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import type { Pages } from '../../api/pages.ts'
import type { OpenDialog } from '../../frame/dialog-address.ts'
import { Failed, Loading, NothingYet } from '../../kit/display/states.tsx'
import { More, NotReadAgain } from '../../kit/list/pane/More.tsx'
import { CampaignCard } from './CampaignCard.tsx'
import styles from './CampaignLists.module.css'

interface ActiveListProps {
  campaigns: Pages<Campaign>
  country: Country
  open: OpenDialog
}

/** Running campaigns, newest first; the next page loads as the end comes into view. */
export function ActiveList({ campaigns, country, open }: ActiveListProps) {
  const { rows, total, loading, error } = campaigns
  return (
    <section className={styles.active} aria-labelledby="active">
      <header className={styles.head}>
        <h2 id="active">Active campaigns</h2>
        {rows.length > 0 ? <span className={styles.count}>{formatNumber(country, total)}, newest first</span> : null}
      </header>
      <div className={styles.cards}>
        {loading ? (
          <Loading rows={4} />
        ) : rows.length > 0 ? (
          <>
            <NotReadAgain pages={campaigns} what="the active campaigns" />
            {rows.map((campaign) => (
              <CampaignCard
                key={campaign.campaign_id}
                campaign={campaign}
                country={country}
                onOpen={() => open('campaigns', { campaign: campaign.campaign_id })}
              />
            ))}
            <More pages={campaigns} />
          </>
        ) : error ? (
          <Failed title="Could not load the active campaigns" error={error} onRetry={campaigns.retry} />
        ) : (
          <NothingYet
            title="No active campaigns"
            action={<Button onClick={() => open('recommendations', { type: 'campaign' })}>See recommended</Button>}
          >
            Start from one that Pillar recommends, or make a new campaign.
          </NothingYet>
        )}
      </div>
    </section>
  )
}
