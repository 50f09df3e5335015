import { SIXTY_DAY_STATES } from '@pillar/domain/sixty-day/choices'
import type { SixtyDayStatistic } from '@pillar/domain/sixty-day/figure'
import { useState } from 'react'
import { BarChart } from '../../kit/chart/BarChart.tsx'
import { TileMap } from '../../kit/chart/draw/TileMap.tsx'
import { spanText } from './AsAt.tsx'
import styles from './SixtyDay.module.css'
import type { SixtyDayFilters } from './search.ts'
import { count, driverWords, money, type SixtyDayStats, statisticWords, written } from './words.ts'

interface PicturesProps {
  kind: 'company' | 'guild'
  filters: SixtyDayFilters
  stats: SixtyDayStats
}

const GUILD_RULE = '. Not shown: states of under 3 pharmacies, or where one makes up more than half'

/** The selected statistic by place, and the medicines that make up the loss. */
export function Pictures({ kind, filters, stats }: PicturesProps) {
  const [open, setOpen] = useState<string | null>(null)
  const { statistic } = filters
  const { label } = statisticWords(statistic)
  const lost = statistic.includes('lost')
  const caption = `${label}${lost ? ` at ${filters.uptake}% uptake` : ''}, ${spanText(stats.basis) ?? ''}${kind === 'guild' ? GUILD_RULE : ''}`
  const format = (value: number | null) => written(statistic, value)
  const states = stats.areas.filter(({ postcode }) => postcode === null)
  const inside = stats.areas.filter(({ state, postcode }) => postcode !== null && state === open)
  const amountOf = (area: (typeof states)[number] | undefined) => area?.values[statistic] ?? null
  const top = states.filter((one) => amountOf(one)).sort((a, b) => amountOf(b)! - amountOf(a)!)[0]
  const why = kind === 'guild' ? 'not shown' : 'no pharmacy'
  return (
    <div className={styles.pictures}>
      <TileMap
        title={
          top
            ? `${top.state} ${most(statistic)}: ${format(amountOf(top))}`
            : lost
              ? 'Nothing would be lost'
              : 'Nothing to show'
        }
        caption={caption}
        head={label}
        format={format}
        areas={SIXTY_DAY_STATES.map((code) => {
          const found = states.find(({ state }) => state === code)
          return { code, label: code, value: amountOf(found), ...(found ? {} : { why }) }
        })}
        selected={open}
        onSelect={setOpen}
        inside={
          open === null
            ? null
            : {
                title: `Postcodes of ${open}`,
                none: kind === 'guild' ? 'No postcode of it may be shown.' : 'No pharmacy has a postcode.',
                areas: inside.map((area) => ({
                  ...{ code: area.postcode ?? '', value: amountOf(area) },
                  label: `${area.postcode} (${count(area.pharmacies)} ${area.pharmacies === 1 ? 'pharmacy' : 'pharmacies'})`,
                })),
              }
        }
      />
      <BarChart
        {...driverWords(kind, filters.uptake, stats)}
        head="Molecule"
        horizontal
        rows={stats.drivers.map(({ name, revenue_lost }) => ({ label: name, values: [revenue_lost] }))}
        series={[{ label: 'Revenue lost', colour: '--d1' }]}
        format={money}
      />
    </div>
  )
}

/** The words for the place with the highest value. */
function most(statistic: SixtyDayStatistic): string {
  if (statisticWords(statistic).unit === 'percent') return 'has the largest share'
  return statistic.includes('lost') ? 'would lose most' : 'has most'
}
