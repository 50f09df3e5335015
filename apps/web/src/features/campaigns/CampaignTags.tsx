import type { Campaign } from '@pillar/contract/campaign'
import { CircleCheck, Star } from 'lucide-react'
import { Tag } from '../../kit/display/Tag.tsx'
import { campaignStatus } from './campaign-status.ts'

/** Where a campaign stands, whether it has made its goal, and where it comes from. */
export function CampaignTags({ campaign }: { campaign: Campaign }) {
  // The card has room for one word; here the goal has its own beside it.
  const status = campaignStatus({ ...campaign, made_goal: false })
  return (
    <>
      <Tag tone={status.tone} icon={status.icon}>
        {status.word}
      </Tag>
      {campaign.made_goal ? (
        <Tag tone="good" icon={CircleCheck}>
          Goal made
        </Tag>
      ) : null}
      {campaign.campaign_recommendation_id ? (
        <Tag tone="info" icon={Star}>
          Recommended
        </Tag>
      ) : null}
    </>
  )
}
