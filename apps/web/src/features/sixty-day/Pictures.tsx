import { SIXTY_DAY_STATES } from '@pillar/domain/sixty-day/choices'
import { useState } from 'react'
import { BarChart } from '../../kit/chart/BarChart.tsx'
import { TileMap } from '../../kit/chart/TileMap.tsx'
import { spanText } from './AsAt.tsx'
import styles from './SixtyDay.module.css'
import type { SixtyDayFilters } from './search.ts'
import { count, money, type SixtyDayStats } from './words.ts'

interface PicturesProps {
  kind: 'company' | 'guild'
  filters: SixtyDayFilters
  stats: SixtyDayStats
}

/** Where the loss is, and which medicines make it up. */
export function Pictures({ kind, filters, stats }: PicturesProps) {
  const [open, setOpen] = useState<string | null>(null)
  const caption = `Revenue lost at ${filters.uptake}% uptake, ${spanText(stats.basis) ?? ''}`
  const states = stats.areas.filter(({ postcode }) => postcode === null)
  const inside = stats.areas.filter(({ state, postcode }) => postcode !== null && state === open)
  const top = [...states].sort((a, b) => (b.revenue_lost ?? 0) - (a.revenue_lost ?? 0))[0]
  const why = kind === 'guild' ? 'under 3' : 'no pharmacy'
  const [first] = stats.drivers
  const all = stats.revenue_lost ?? 0
  return (
    <div className={styles.pictures}>
      <TileMap
        title={top ? `${top.state} would lose most: ${money(top.revenue_lost)}` : 'Nothing would be lost'}
        caption={caption}
        head="Revenue lost"
        format={money}
        areas={SIXTY_DAY_STATES.map((code) => {
          const found = states.find(({ state }) => state === code)
          return { code, label: code, value: found?.revenue_lost ?? null, ...(found ? {} : { why }) }
        })}
        selected={open}
        onSelect={setOpen}
        inside={
          open === null
            ? null
            : {
                title: `Postcodes of ${open}`,
                areas: inside.map(({ postcode, revenue_lost, pharmacies }) => ({
                  ...{ code: postcode ?? '', value: revenue_lost },
                  label: `${postcode} (${count(pharmacies)} ${pharmacies === 1 ? 'pharmacy' : 'pharmacies'})`,
                })),
              }
        }
      />
      <BarChart
        title={
          first && all > 0
            ? `${first.name} makes up ${Math.round((100 * first.revenue_lost) / all)}% of the loss`
            : 'No medicine would lose scripts'
        }
        caption={`What drives it: molecules by revenue lost at ${filters.uptake}% uptake${
          stats.drivers_rest.molecules > 0
            ? `; ${count(stats.drivers_rest.molecules)} more lose ${money(stats.drivers_rest.revenue_lost)} together`
            : ''
        }`}
        head="Molecule"
        horizontal
        rows={stats.drivers.map(({ name, revenue_lost }) => ({ label: name, values: [revenue_lost] }))}
        series={[{ label: 'Revenue lost', colour: '--d1' }]}
        format={money}
      />
    </div>
  )
}
