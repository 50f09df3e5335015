import type { Filters } from '@pillar/contract/campaign/cohort'
import type { GoalType, Measure } from '@pillar/domain/campaign/goal'
import type { ConsentKind } from '@pillar/domain/consent/consent'

export interface DemoTemplate {
  uuid: string
  name: string
  body: string
  subject: string | null
  sms_template: boolean
  email_template: boolean
  message_kind: ConsentKind
  active: boolean
  /** One of the three that are never edited or deleted. */
  demo: boolean
  /** The recommendation it was made from. */
  recommendation: string | null
}

export interface DemoCampaign {
  uuid: string
  name: string
  note: string
  goal_type: GoalType
  measure_by: Measure
  goal: number
  filters: Partial<Filters>
  templates: readonly string[]
  /** The number of pharmacies, taken from the company's first; all if absent. */
  pharmacies?: number
}

/** A demo campaign that has been running for some days. */
export interface DemoHistory {
  uuid: string
  days: number
  /** Percent held out at random. */
  holdout: number
  /** Pharmacies that begin together, one wave after the other; all at once if absent. */
  atOnce?: number
}

/** Fixed ids, by which the demo templates and campaigns are recognised. */
export const DEMO_TEMPLATE_IDS = [1, 2, 3].map((number) => `0192d3b0-0001-7000-8000-00000000000${number}`)
const DEMO_CAMPAIGN_IDS = [1, 2, 3, 4, 5].map((number) => `0192d3b0-0002-7000-8000-00000000000${number}`)
const ownId = (number: number) => `0192d3b0-0003-7000-8000-00000000000${number}`

const template = (uuid: string, name: string, body: string, more: Partial<DemoTemplate> = {}): DemoTemplate => ({
  uuid,
  name,
  body,
  subject: null,
  sms_template: true,
  email_template: false,
  message_kind: 'health_outreach',
  active: true,
  demo: false,
  recommendation: null,
  ...more,
})

export const DEMO_TEMPLATES: readonly DemoTemplate[] = [
  template(
    DEMO_TEMPLATE_IDS[0]!,
    'Demo: repeat due',
    'Hi {First Name}, your next repeat may be due. Drop in and we will get it ready. {Pharmacy Name}',
    { demo: true },
  ),
  template(
    DEMO_TEMPLATE_IDS[1]!,
    'Demo: medicine check',
    'Hi {First Name},\n\nyou take several medicines. Our pharmacist would be glad to go through them with you, at a time that suits.\n\nCall us on {Pharmacy Number}, or drop in.\n\n{Pharmacy Name}\n{Pharmacy Address}',
    { demo: true, sms_template: false, email_template: true, subject: 'Shall we go through your medicines together?' },
  ),
  template(
    DEMO_TEMPLATE_IDS[2]!,
    'Demo: diabetes review',
    'Hi {First Name}, time for a diabetes review? Book one with our pharmacist. {Pharmacy Name}',
    { demo: true, email_template: true, subject: 'Time for a diabetes review?' },
  ),
  template(
    ownId(1),
    'Welcome to Saltbush',
    'Welcome {First Name}! Questions about your medicine? Call us on {Pharmacy Number}. {Pharmacy Name}',
    {
      email_template: true,
      subject: 'Welcome to {Pharmacy Name}',
      recommendation: '0192c0de-0001-7000-8000-000000000009',
    },
  ),
  template(
    ownId(2),
    'Script expiring',
    'Hi {First Name}, a script we keep for you expires soon. Ask us about a new one. {Pharmacy Name}',
    { recommendation: '0192c0de-0001-7000-8000-000000000007' },
  ),
  template(
    ownId(3),
    'Christmas opening hours',
    'Hi {First Name}, we close early over Christmas. Please order what you need in good time. {Pharmacy Name}',
    { active: false },
  ),
  template(
    ownId(4),
    'Sunscreen and summer offers',
    'Hi {First Name},\n\nour summer range is in the shop, from sunscreen to insect repellent.\n\nSee you soon,\n{Pharmacy Name}',
    {
      sms_template: false,
      email_template: true,
      subject: 'Summer at {Pharmacy Name}',
      message_kind: 'marketing',
    },
  ),
]

export const DEMO_CAMPAIGNS: readonly DemoCampaign[] = [
  {
    uuid: DEMO_CAMPAIGN_IDS[0]!,
    name: 'Demo: back on track',
    note: 'Have repeats ready when patients call back.',
    goal_type: 'adherence',
    measure_by: 'target',
    goal: 80,
    filters: { adherence: [2, 3], drug_type: ['Lipid modifying', 'Antihypertensives'] },
    templates: [DEMO_TEMPLATE_IDS[0]!],
  },
  {
    uuid: DEMO_CAMPAIGN_IDS[1]!,
    name: 'Demo: medicine check from 65',
    note: 'Book checks at quiet hours.',
    goal_type: 'loyalty',
    measure_by: 'percentage',
    goal: 3,
    filters: { age: ['65+'], polypharmacy: ['5-9', '10+'] },
    templates: [DEMO_TEMPLATE_IDS[1]!],
  },
  {
    uuid: DEMO_CAMPAIGN_IDS[2]!,
    name: 'Demo: diabetes review',
    note: 'Plan appointments before activating.',
    goal_type: 'scripts',
    measure_by: 'percentage',
    goal: 5,
    filters: { drug_type: ['Diabetes'] },
    templates: [DEMO_TEMPLATE_IDS[2]!],
  },
  {
    uuid: DEMO_CAMPAIGN_IDS[3]!,
    name: 'Demo: heart medicines on time',
    note: 'Two pharmacies begin at a time, so that their phones can cope.',
    goal_type: 'scripts',
    measure_by: 'percentage',
    goal: 5,
    filters: { drug_type: ['Lipid modifying', 'Antihypertensives'] },
    templates: [DEMO_TEMPLATE_IDS[0]!],
  },
  {
    uuid: DEMO_CAMPAIGN_IDS[4]!,
    name: 'Demo: inhaler check',
    note: 'A trial at three pharmacies.',
    goal_type: 'scripts',
    measure_by: 'percentage',
    goal: 5,
    filters: { drug_type: ['Respiratory'] },
    templates: [DEMO_TEMPLATE_IDS[0]!],
    pharmacies: 3,
  },
]

/** Demo campaigns of the past weeks, longest first. The missing one is left for users to activate. */
export const DEMO_HISTORY: readonly DemoHistory[] = [
  // A third is held out at random, so that the messages' effect can be told from what would have happened anyway.
  { uuid: DEMO_CAMPAIGN_IDS[3]!, days: 62, holdout: 36, atOnce: 2 },
  { uuid: DEMO_CAMPAIGN_IDS[2]!, days: 48, holdout: 36 },
  // Too small for a result.
  { uuid: DEMO_CAMPAIGN_IDS[4]!, days: 34, holdout: 0 },
  { uuid: DEMO_CAMPAIGN_IDS[0]!, days: 13, holdout: 0 },
]

/** Recommended sequences that demo pharmacies use, by the pharmacy's place among the company's. Fixed ids: a second start finds them. */
export const DEMO_SEQUENCES: readonly {
  uuid: string
  pharmacy: number
  recommendation: string
  budgetCents: number | null
}[] = [
  {
    uuid: '0192d3b0-0004-7000-8000-000000000001',
    pharmacy: 0,
    recommendation: '0192c0de-0004-7000-8000-000000000001',
    budgetCents: null,
  },
  {
    uuid: '0192d3b0-0004-7000-8000-000000000002',
    pharmacy: 1,
    recommendation: '0192c0de-0004-7000-8000-000000000002',
    budgetCents: 5000,
  },
]

/** A demo pharmacy, by its place among the company's, that texts under its own name: its texts end with a link instead of "Reply STOP". */
export const DEMO_SENDER = { pharmacy: 2, name: 'SALTBUSH', registered: true } as const
