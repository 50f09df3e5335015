import type { CSSProperties } from 'react'
import type { Format } from '../axes.ts'
import { Picture } from '../Picture.tsx'
import { tilesPicture } from '../picture.ts'
import { finestOf, type Step, stepAt, stepsOf } from '../steps.ts'
import { StepKey } from './StepKey.tsx'
import inks from './Steps.module.css'
import styles from './TileMap.module.css'
import { tilePlaces } from './tile-places.ts'

export interface Area {
  /** The map's code for it: 'NSW'. Areas within a state may have any code, such as a postcode. */
  code: string
  label: string
  /** Null if it is unknown or must stay hidden. */
  value: number | null
  /** Why there is no value. */
  why?: string
}

interface TileMapProps {
  /** The answer in words. */
  title: string
  /** The question, and the period it covers. */
  caption: string
  /** The value's name, for the table head: 'Revenue lost'. */
  head: string
  areas: readonly Area[]
  format: Format
  /** The open area, and what pressing one does; null closes it. */
  selected?: string | null
  onSelect?: (code: string | null) => void
  /** The contents of the open area, as ranked tiles, and the words if it has none. */
  inside?: { title: string; areas: readonly Area[]; none?: string } | null
}

/** States as tiles of one size, arranged as on a map, darker for more; the open one shows its areas from most to least. */
export function TileMap({ title, caption, head, areas, format, selected = null, onSelect, inside }: TileMapProps) {
  const stepsFor = (these: readonly Area[]) => {
    const values = these.map(({ value }) => value)
    return stepsOf(values, finestOf(format, Math.max(0, ...values.map(Number))))
  }
  const steps = stepsFor(areas)
  const ranked = (inside?.areas ?? []).toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1))
  const innerSteps = stepsFor(ranked)
  const all = [...areas, ...ranked]
  const places = tilePlaces(areas.map(({ code }) => code))
  const word = ({ value, why }: Area) => (value === null ? (why ?? '–') : format(value))
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{ heads: ['Area', head], rows: all.map(({ label, value }) => [label, value]) }}
      cells={all.map((area) => [area.label, word(area)])}
      points={all.map((area) => `${area.label}: ${word(area)}`)}
      picture={() =>
        tilesPicture(
          title,
          caption,
          areas.map((area, index) => ({ ...tileOf(area, steps, word), place: places[index]! })),
          ranked.map((area) => tileOf(area, innerSteps, word)),
        )
      }
    >
      {(active) => (
        <div className={`${styles.map} ${inks.steps}`}>
          <div>
            <div className={styles.states}>
              {areas.map((area, index) => (
                <Tile
                  key={area.code}
                  {...{ area, word: word(area), step: stepOf(area, steps), active: active === index }}
                  place={places[index]!}
                  pressed={onSelect ? area.code === selected : null}
                  onPress={() => onSelect?.(area.code === selected ? null : area.code)}
                />
              ))}
            </div>
            <div className={styles.scale}>
              <StepKey names={steps.map(({ from }) => `from ${format(from)}`)} />
            </div>
          </div>
          {inside ? (
            <div className={styles.inside}>
              <h3>{inside.title}</h3>
              {ranked.length === 0 ? <p className="muted">{inside.none ?? 'Nothing to show.'}</p> : null}
              <ol>
                {ranked.map((area, index) => (
                  <li
                    key={area.code}
                    data-step={stepOf(area, innerSteps)}
                    data-active={active === areas.length + index || undefined}
                  >
                    <b>{area.label}</b>
                    <span>{word(area)}</span>
                  </li>
                ))}
              </ol>
            </div>
          ) : null}
        </div>
      )}
    </Picture>
  )
}

const stepOf = ({ value }: Area, steps: readonly Step[]) => (value === null ? undefined : stepAt(value, steps))

const tileOf = (area: Area, steps: readonly Step[], word: (area: Area) => string) => ({
  ...{ code: area.code, word: word(area) },
  step: stepOf(area, steps) ?? null,
})

interface TileProps {
  area: Area
  word: string
  step: number | undefined
  active: boolean
  place: readonly [number, number]
  /** Null if tiles open nothing. */
  pressed: boolean | null
  onPress: () => void
}

function Tile({ area, word, step, active, place, pressed, onPress }: TileProps) {
  const style: CSSProperties = { gridColumn: place[0], gridRow: place[1] }
  const look = {
    className: styles.tile,
    style,
    title: area.label,
    'data-step': step,
    'data-active': active || undefined,
  }
  const words = (
    <>
      <b>{area.code}</b>
      <span>{word}</span>
    </>
  )
  if (pressed === null) return <div {...look}>{words}</div>
  return (
    <button type="button" {...look} aria-pressed={pressed} aria-label={`${area.label}: ${word}`} onClick={onPress}>
      {words}
    </button>
  )
}
