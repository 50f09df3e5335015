import type { AdminPharmacySequence } from '@pillar/contract/sequence/pharmacy-sequence-read'
import type { Figures } from '../../kit/chart/csv.ts'
import { barsPicture } from '../../kit/chart/picture.ts'
import type { Stats } from './sequence-stats.ts'
import { partsOf, STEP_COUNTS } from './time-line-parts.ts'

/** A part that still waits is pale; what was held back is hatched on the screen. */
const COLOURS = { responded: '--d1', sent: '--d4', failed: '--bad-fill', held: '--caution-fill', waiting: '--d-track' }

/** The time line as a file of figures: each row adds up to everybody who started. */
export const figuresOf = ({ steps }: Stats): Figures => ({
  heads: ['Follow-up', 'Day', ...STEP_COUNTS.map(([label]) => label)],
  rows: steps.map((step) => [step.template, step.days_after, ...STEP_COUNTS.map(([, of]) => of(step))]),
})

/** The time line as a picture to keep: the event, then each follow-up, on one scale. */
export function pictureOf(title: string, sequence: AdminPharmacySequence, { steps, started }: Stats) {
  const caption = `${sequence.title}, ${sequence.location_name}: what happens when?`
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
