import { SENDS_CAMPAIGNS } from '@pillar/domain/access/permission'
import { APPROVAL_STATES } from '@pillar/domain/campaign/approval'
import { GOAL_TYPES, MEASURES } from '@pillar/domain/campaign/goal'
import { CONSENT_KINDS } from '@pillar/domain/consent/consent'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { Filters } from './cohort.ts'

const id = z.uuid()
const CAMPAIGN = '01980000-0000-7000-8000-00000000000a'

/** Where a campaign's approval by a second person stands. */
export const CampaignApproval = z.object({
  /** Whether the company requires an approval before anything is sent. */
  required: z.boolean(),
  /** The state of the newest request; `none` before the first. `changed`: something was edited since, so it is void. */
  state: z.enum(['none', 'changed', ...APPROVAL_STATES]),
  /** What has changed since the request, in words. */
  changes: z.array(z.string()),
  asked_by: z.string().nullable(),
  asked_at: z.iso.datetime().nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
  /** Why it was declined, or held back. */
  reason: z.string().nullable(),
  /** The approved maximum of people and of cents. */
  max_people: z.number().nullable(),
  max_cents: z.number().nullable(),
  /** SHA-256 over the canonical form of campaign, texts, audience rule and ceiling; `approve` and `decline` send it back. */
  hash: z.string().nullable(),
  /** While a request is pending, what `hash` covers apart from the ceiling. The approver sees exactly this. */
  content: z
    .object({
      name: z.string(),
      note: z.string().nullable(),
      goal_type: z.enum(GOAL_TYPES),
      measure_by: z.enum(MEASURES),
      goal: z.number(),
      start_date: z.string().nullable(),
      end_date: z.string().nullable(),
      texts: z.array(
        z.object({
          template_id: z.uuid(),
          template_name: z.string(),
          sms_template: z.boolean(),
          email_template: z.boolean(),
          message_kind: z.enum(CONSENT_KINDS),
          subject: z.string().nullable(),
          body: z.string(),
        }),
      ),
      filters: Filters,
      pharmacies: z.array(z.object({ location_id: z.uuid(), name: z.string() })),
      /** Percent of the audience held out at random; null where the campaign holds nobody out, whatever the company's holdout. */
      holdout_percent: z.number().nullable(),
    })
    .nullable(),
  /** Names of the people who may approve. */
  approvers: z.array(z.string()),
  /** Why the caller may not approve, as a sentence; empty when they may. */
  approver_problem: z.string(),
})
export type CampaignApproval = z.output<typeof CampaignApproval>

const state = read({
  path: '/api/campaign/{id}/approval/enterprise',
  needs: SENDS_CAMPAIGNS,
  about: 'Where the approval of a campaign by a second person stands, what it covers and who may give it.',
  example: { id: CAMPAIGN },
  input: z.object({ id }),
  output: CampaignApproval,
})

const waiting = read({
  path: '/api/campaign/approval/waiting/enterprise',
  needs: SENDS_CAMPAIGNS,
  about: 'The company’s campaigns that wait for approval by a second person, the oldest request first.',
  example: {},
  input: z.object({}),
  output: z.object({
    campaigns: z.array(
      z.object({
        campaign_id: id,
        name: z.string(),
        asked_by: z.string().nullable(),
        asked_at: z.iso.datetime(),
        max_people: z.number(),
        max_cents: z.number(),
        /** Whether the caller may approve it. */
        for_you: z.boolean(),
      }),
    ),
  }),
})

export const campaignApprovalReads = { state, waiting }

const stale = [state, waiting]
/** The hash the caller saw; any other gets a 409. */
const hash = z.string().max(64)
const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Approval of campaigns by a second person, before anything is sent. */
export const campaignApproval = {
  ...campaignApprovalReads,
  request: write({
    path: '/api/campaign/{id}/approval-request/enterprise',
    needs: SENDS_CAMPAIGNS,
    refreshes: () => stale,
    about:
      'Requests a second person’s approval of a campaign as it is now, up to a ceiling of people and cents. Any earlier request or approval ends.',
    example: { id: CAMPAIGN, max_people: 900, max_cents: 11_000 },
    input: z.object({
      id,
      max_people: z.number().int().min(1).max(2_000_000_000),
      max_cents: z.number().int().min(0).max(1_000_000_000_000),
    }),
    output: CampaignApproval,
  }),
  approve: write({
    path: '/api/campaign/{id}/approval-approve/enterprise',
    needs: SENDS_CAMPAIGNS,
    stepUp: 'activate',
    refreshes: () => stale,
    about:
      'Approves a campaign for one sending. Refused to anybody who wrote or changed it or one of its texts or requested the approval, and when anything has changed since `hash`.',
    example: { id: CAMPAIGN, hash: HASH },
    input: z.object({ id, hash }),
    output: CampaignApproval,
  }),
  decline: write({
    path: '/api/campaign/{id}/approval-decline/enterprise',
    needs: SENDS_CAMPAIGNS,
    refreshes: () => stale,
    about: 'Declines to approve a campaign, with the reason.',
    example: { id: CAMPAIGN, hash: HASH, reason: 'The second text names the wrong medicine.' },
    input: z.object({ id, hash, reason: z.string().trim().min(1).max(500) }),
    output: CampaignApproval,
  }),
}
