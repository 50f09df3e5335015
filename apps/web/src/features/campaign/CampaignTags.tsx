import type { Campaign } from '@pillar/contract/campaign/campaign'
import { Status } from '../../kit/display/status.tsx'
import { campaignStatus } from './campaign-status.ts'

/** A campaign's status, whether it has reached its goal, and where it comes from. */
export function CampaignTags({ campaign }: { campaign: Campaign }) {
  return (
    <>
      {/* The card has room for one word only; here the goal has its own tag. */}
      <Status word={campaignStatus({ ...campaign, made_goal: false })} />
      {campaign.made_goal ? <Status word="Goal made" /> : null}
      {campaign.campaign_recommendation_id ? <Status word="Recommended" /> : null}
    </>
  )
}
