import type { AdminPharmacySequence } from '@pillar/contract/sequence/pharmacy-sequence-read'
import type { StepCounts } from '@pillar/domain/campaign/time-line'
import { joined } from '@pillar/domain/text/sentence'
import type { Figures } from '../../kit/chart/csv.ts'
import { barsPicture } from '../../kit/chart/picture.ts'
import type { Stats } from './sequence-stats.ts'

type Tone = 'responded' | 'sent' | 'failed' | 'held' | 'waiting'

/** The parts of a time-line bar, in order, without empty ones. Patients who came in or finished before leave the bar short. */
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

/** The states of those who started, at each follow-up; the counts add up to them. */
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

/** A waiting part is pale; a held-back part is hatched on screen. */
const COLOURS = { responded: '--d1', sent: '--d4', failed: '--bad-fill', held: '--caution-fill', waiting: '--d-track' }

/** The time line as a file of figures: each row adds up to everybody who started. */
export const figuresOf = ({ steps }: Stats): Figures => ({
  heads: ['Follow-up', 'Day', ...STEP_COUNTS.map(([label]) => label)],
  rows: steps.map((step) => [step.template, step.days_after, ...STEP_COUNTS.map(([, of]) => of(step))]),
})

/** The time line as a picture file: the event, then each follow-up, on one scale. */
export function pictureOf(title: string, sequence: AdminPharmacySequence, { steps, started }: Stats) {
  const caption = `${joined([sequence.title, sequence.location_name])}: what happens when?`
  const event = [{ label: 'Started', value: started, colour: '--d-rest' }]
  return barsPicture(title, caption, started, [
    { label: sequence.sequence_event.name, under: 'Day 0', parts: event },
    ...steps
      .filter(({ removed }) => !removed)
      .map((step) => ({
        ...{ label: step.template, under: `Day ${step.days_after}` },
        parts: partsOf(step).map((part) => ({ ...part, colour: COLOURS[part.tone] })),
      })),
  ])
}
