import type { Filters } from '@pillar/contract/campaign/cohort'
import type { GoalType, Measure } from '@pillar/domain/campaign/goal'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import type { Country } from '@pillar/domain/time/locale'

export interface RecommendedTemplate {
  /** Fixed for ever: installations recognise by it what they have. */
  uuid: string
  name: string
  description: string
  subject: string | null
  body: string
  sms_template: boolean
  email_template: boolean
  message_kind: ConsentKind
  /** How old it is when an installation first gets it. */
  daysOld: number
  /** About something that only this country has. */
  country?: Country
}

export interface RecommendedCampaign {
  uuid: string
  name: string
  description: string
  goal_type: GoalType
  measure_by: Measure
  goal: number
  note: string
  filters: Partial<Filters>
  templates: readonly string[]
  daysOld: number
  country?: Country
}

const templateId = (number: number) => `0192c0de-0001-7000-8000-${String(number).padStart(12, '0')}`
const campaignId = (number: number) => `0192c0de-0002-7000-8000-${String(number).padStart(12, '0')}`

type Text = Pick<RecommendedTemplate, 'body'> & Partial<RecommendedTemplate>
const template = (
  number: number,
  name: string,
  daysOld: number,
  description: string,
  text: Text,
): RecommendedTemplate => ({
  uuid: templateId(number),
  name,
  description,
  daysOld,
  subject: null,
  sms_template: true,
  email_template: false,
  message_kind: 'health_outreach',
  ...text,
})

/** Recommended to every company from the first start on; support may change, add and withdraw. They remind and invite, and make no claims. */
export const RECOMMENDED_TEMPLATES: readonly RecommendedTemplate[] = [
  template(1, 'Cholesterol medicine due', 400, 'Reminds patients whose cholesterol medicine may have run out.', {
    body: 'Hi {First Name}, your cholesterol medicine may be due. Shall we get it ready? {Pharmacy Name}',
  }),
  template(
    2,
    'Preventer before summer',
    12,
    'Asks patients with a preventer inhaler to check it before pollen season.',
    {
      body: 'Hi {First Name}, summer is near. Is your preventer inhaler in date and full? {Pharmacy Name}',
      email_template: true,
      subject: 'Is your preventer inhaler ready for summer?',
      // Pollen is worst before an Australian summer; elsewhere this would be offered as new half a year off.
      country: 'AU',
    },
  ),
  template(3, '60 day scripts', 200, 'Tells patients that they may be able to get two months of a medicine at once.', {
    body: 'Hi {First Name}, you may be able to get 60 days of your medicine at once. Ask us. {Pharmacy Name}',
    email_template: true,
    subject: 'Two months of your medicine at once',
    country: 'AU',
  }),
  template(4, 'Diabetes review', 150, 'Invites patients with diabetes medicines to a review with the pharmacist.', {
    body: 'Hi {First Name}, time for a diabetes review? Book one with our pharmacist. {Pharmacy Name}',
  }),
  template(5, 'Flu vaccine', 230, 'Invites to this year’s flu vaccination.', {
    body: "Hi {First Name}, this year's flu vaccine is here. Book with us: {Pharmacy Number}. {Pharmacy Name}",
    email_template: true,
    subject: "This year's flu vaccine is here",
  }),
  template(6, 'Six-month injection due', 20, 'Reminds patients of an injection that is planned every six months.', {
    body: 'Hi {First Name}, your six-month injection may be due. Please plan it with your doctor. {Pharmacy Name}',
  }),
  template(7, 'Script expiring', 90, 'Tells patients that a script on file expires soon.', {
    body: 'Hi {First Name}, a script we keep for you expires soon. Ask us about a new one. {Pharmacy Name}',
  }),
  template(
    8,
    'Medicine check',
    60,
    'Invites patients who take several medicines to go through them with the pharmacist.',
    {
      body: 'Hi {First Name}, taking several medicines? Book a medicine check with us. {Pharmacy Name}',
      email_template: true,
      subject: 'Shall we go through your medicines together?',
    },
  ),
  template(9, 'Welcome', 500, 'Greets new patients and says how to reach the pharmacist.', {
    body: 'Welcome {First Name}! Questions about your medicine? Call us on {Pharmacy Number}. {Pharmacy Name}',
    email_template: true,
    subject: 'Welcome to {Pharmacy Name}',
  }),
  template(10, 'Blood pressure check', 120, 'Invites to a blood pressure check in the pharmacy.', {
    body: 'Hi {First Name}, drop in for a blood pressure check. It takes a few minutes. {Pharmacy Name}',
  }),
  template(11, 'Hay fever season offers', 5, 'Marketing: goes only to people who agreed to offers.', {
    body: 'Hi {First Name},\n\nhay fever season is starting. See our offers for the season in the shop, and ask our team what suits you.\n\n{Pharmacy Name}\n{Pharmacy Address}',
    sms_template: false,
    email_template: true,
    subject: 'Ready for hay fever season?',
    message_kind: 'marketing',
  }),
  template(12, 'We miss you', 300, 'Writes to patients who have been filling scripts elsewhere.', {
    body: 'Hi {First Name}, we have not seen you for a while and would be glad to help again. {Pharmacy Name}',
  }),
  template(13, 'New medicine: how is it going?', 450, 'Asks after a few days how a new medicine is going.', {
    body: 'Hi {First Name}, how is your new medicine going? Questions? Call {Pharmacy Number}. {Pharmacy Name}',
  }),
  template(14, 'Repeat due soon', 451, 'Reminds of a repeat a few days before the medicine runs out.', {
    body: 'Hi {First Name}, your repeat is due soon. Shall we get it ready for you? {Pharmacy Name}',
  }),
  template(15, 'Repeat still waiting', 452, 'Reminds of a repeat that has not been picked up.', {
    body: 'Hi {First Name}, you still have a repeat with us. Need a hand? Call {Pharmacy Number}. {Pharmacy Name}',
  }),
]

type Aim = Pick<RecommendedCampaign, 'goal_type' | 'measure_by' | 'goal' | 'filters' | 'note'> & { country?: Country }
const campaign = (
  number: number,
  name: string,
  daysOld: number,
  description: string,
  templates: readonly number[],
  aim: Aim,
): RecommendedCampaign => ({
  uuid: campaignId(number),
  name,
  daysOld,
  description,
  templates: templates.map(templateId),
  ...aim,
})

const STATINS = ['C10AA01', 'C10AA03', 'C10AA05', 'C10AA07']
const PREVENTERS = ['R03BA01', 'R03BA02', 'R03BA05', 'R03BA08', 'R03AK06', 'R03AK07', 'R03AK08', 'R03AK10', 'R03AK11']

export const RECOMMENDED_CAMPAIGNS: readonly RecommendedCampaign[] = [
  campaign(1, 'Statins: back on track', 400, 'Patients on a statin whose supplies leave gaps.', [1], {
    goal_type: 'adherence',
    measure_by: 'target',
    goal: 80,
    filters: { molecules: STATINS, adherence: [1, 2, 3] },
    note: 'Have repeats ready when patients call back.',
  }),
  campaign(2, 'Asthma preventer before summer', 12, 'Patients with a preventer inhaler, before pollen season.', [2], {
    goal_type: 'scripts',
    measure_by: 'percentage',
    goal: 10,
    filters: { molecules: PREVENTERS },
    note: 'Offer an inhaler technique check at the counter.',
    country: 'AU',
  }),
  campaign(3, '60 day scripts', 200, 'Patients with a current medicine that may be supplied for 60 days.', [3], {
    goal_type: 'loyalty',
    measure_by: 'target',
    goal: 80,
    filters: { double_dispensing: true },
    note: 'The prescriber decides; explain what a new script needs to say.',
    country: 'AU',
  }),
  campaign(4, 'Diabetes review', 150, 'Patients with diabetes medicines.', [4], {
    goal_type: 'scripts',
    measure_by: 'percentage',
    goal: 5,
    filters: { drug_type: ['Diabetes'] },
    note: 'Plan appointments before activating.',
  }),
  campaign(5, 'Flu vaccine from 65', 230, 'Patients of 65 years and more.', [5], {
    goal_type: 'revenue',
    measure_by: 'value',
    goal: 5000,
    filters: { age: ['65+'] },
    note: 'Activate when the vaccine has arrived.',
  }),
  campaign(6, 'Osteoporosis: six-month injection', 20, 'Patients with an injection planned every six months.', [6], {
    goal_type: 'scripts',
    measure_by: 'percentage',
    goal: 10,
    filters: { molecules: ['M05BX04'] },
    note: 'Order stock for those who book.',
  }),
  campaign(7, 'Medicine check for many medicines', 60, 'Patients from 65 with five or more current medicines.', [8], {
    goal_type: 'loyalty',
    measure_by: 'percentage',
    goal: 3,
    filters: { age: ['65+'], polypharmacy: ['5-9', '10+'] },
    note: 'Book checks at quiet hours.',
  }),
  campaign(8, 'Come back to us', 300, 'Patients who have filled repeats elsewhere.', [12], {
    goal_type: 'loyalty',
    measure_by: 'target',
    goal: 75,
    filters: { loyalty: [1, 2] },
    note: 'Ask what would make it easier to stay.',
  }),
  campaign(
    9,
    'Blood pressure: keep it going',
    120,
    'Patients on blood pressure medicines whose supplies leave gaps.',
    [10],
    {
      goal_type: 'adherence',
      measure_by: 'target',
      goal: 80,
      filters: { drug_type: ['Antihypertensives'], adherence: [1, 2, 3] },
      note: 'Keep the monitor charged and a quiet seat free.',
    },
  ),
]

/** The recommendations about something this country does not have. */
export const foreignTo = (country: Country): string[] =>
  [...RECOMMENDED_TEMPLATES, ...RECOMMENDED_CAMPAIGNS]
    .filter((one) => one.country !== undefined && one.country !== country)
    .map(({ uuid }) => uuid)
