import type { SequenceEvent } from '@pillar/domain/campaign/sequence'

export interface RecommendedSequence {
  /** Never change it: installations recognise by it which ones they have. */
  uuid: string
  title: string
  description: string
  event: SequenceEvent
  /** Recommended templates in the order of their follow-ups, with days after the event. */
  followUps: readonly { template: string; daysAfter: number }[]
}

const template = (number: number) => `0192c0de-0001-7000-8000-${String(number).padStart(12, '0')}`
const [CHECK_IN, REPEAT_SOON, REPEAT_WAITING] = [template(13), template(14), template(15)]

/** Recommended to every pharmacy from the first start on; support may change, add and withdraw. */
export const RECOMMENDED_SEQUENCES: readonly RecommendedSequence[] = [
  {
    uuid: '0192c0de-0004-7000-8000-000000000001',
    title: 'Starting a new medicine',
    description:
      'Asks after three days how it is going, and reminds of the first repeat. Ends when the repeat is dispensed.',
    event: 'first_script',
    followUps: [
      { template: CHECK_IN!, daysAfter: 3 },
      { template: REPEAT_SOON!, daysAfter: 23 },
      { template: REPEAT_WAITING!, daysAfter: 35 },
    ],
  },
  {
    uuid: '0192c0de-0004-7000-8000-000000000002',
    title: 'Repeat reminder',
    description: 'Reminds five days before a medicine runs out, and once more a week after it has.',
    event: 'refill_due',
    followUps: [
      { template: REPEAT_SOON!, daysAfter: 0 },
      { template: REPEAT_WAITING!, daysAfter: 12 },
    ],
  },
]
