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
