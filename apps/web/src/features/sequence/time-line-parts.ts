import type { StepCounts } from '@pillar/domain/campaign/time-line'

type Tone = 'responded' | 'sent' | 'failed' | 'held' | 'waiting'

/** What a bar of the time line is made of, in its order; parts of nobody are left out. Those who came by or finished before leave it short. */
export function partsOf(step: StepCounts): { label: string; value: number; tone: Tone }[] {
  const parts: { label: string; value: number; tone: Tone }[] = [
    { label: 'Responded', value: step.responded, tone: 'responded' },
    { label: 'Sent, no response', value: step.sent, tone: 'sent' },
    { label: 'Failed', value: step.failed, tone: 'failed' },
    { label: 'Skipped', value: step.skipped, tone: 'held' },
    { label: 'Being sent', value: step.queued + step.unknown, tone: 'waiting' },
    { label: 'Not yet due', value: step.waiting, tone: 'waiting' },
  ]
  return parts.filter(({ value }) => value > 0)
}

/** Where those who started are, at each follow-up; the counts add up to them. */
export const STEP_COUNTS: readonly [string, (step: StepCounts) => number][] = [
  ['Responded', (step) => step.responded],
  ['Sent, no response', (step) => step.sent],
  ['Failed', (step) => step.failed],
  ['Skipped', (step) => step.skipped],
  ['Being sent', (step) => step.queued + step.unknown],
  ['Not yet due', (step) => step.waiting],
  ['Already visited', (step) => step.ended],
  ['Added later', (step) => step.added_later],
]
