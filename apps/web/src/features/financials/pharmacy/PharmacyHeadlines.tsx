import type { Headline } from '@pillar/contract/pharmacy'
import type { TargetFigure } from '@pillar/domain/target/target'
import type { Country } from '@pillar/domain/time/locale'
import { Sparkline } from '../../../kit/chart/Sparkline.tsx'
import { Change } from '../../../kit/display/figure/Change.tsx'
import { StatCard, StatStrip } from '../../../kit/display/figure/StatCard.tsx'
import { TargetNote } from '../../target/TargetNote.tsx'
import type { Targets } from '../../target/useTargets.ts'
import type { Explainable } from '../figures.ts'
import { unitText } from '../figures.ts'
import styles from './Pharmacy.module.css'
import { type PharmacyReply, underWords } from './pharmacy-words.ts'

interface PharmacyHeadlinesProps {
  reply: PharmacyReply
  targets: Targets
  country: Country
  onExplain: (number: Explainable, first: 'trend' | 'number') => void
}

const NO_CHANGE = 'No change shown: data are not complete in both years'
const LABELS: Partial<Record<Headline['figure'], string>> = { adherent_share: 'Patients adherent' }

/** A pharmacy's five figures: change, rank, the group's value, and 13 months beside the group. */
export function PharmacyHeadlines({ reply, targets, country, onExplain }: PharmacyHeadlinesProps) {
  return (
    <StatStrip paired>
      {reply.headlines.map((headline) => (
        <StatCard
          key={headline.figure}
          label={LABELS[headline.figure] ?? headline.title}
          value={
            headline.n !== null && headline.value === null
              ? 'Too few'
              : unitText(country, headline.unit, headline.value)
          }
          beside={
            <Change
              country={country}
              value={headline.change}
              points={headline.unit === 'fraction'}
              goodWhen="up"
              reason={NO_CHANGE}
            />
          }
          onOpen={() => onExplain(headline.figure, 'trend')}
          onExplain={() => onExplain(headline.figure, 'number')}
        >
          <p className={styles.under}>
            {underWords(headline, reply, country).map((words) => (
              <span key={words}>{words} </span>
            ))}
          </p>
          <Sparkline
            values={headline.trend.map(({ value }) => value)}
            prior={headline.trend.map(({ group }) => group)}
            running={reply.period.running && headline.trend.at(-1)?.value !== null}
            height={26}
            label={`${headline.title} by month, this pharmacy over the group’s average in grey`}
          />
          <TargetNote target={targets[headline.figure as TargetFigure]} country={country} brief />
        </StatCard>
      ))}
    </StatStrip>
  )
}
