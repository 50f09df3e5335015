import type { Chart, ChartConfiguration } from 'chart.js'
import { useEffect, useRef, useState } from 'react'
import { rem } from '../../shared/font-scale.ts'
import { wordsOf } from '../../shared/refused.ts'
import { Failed } from '../display/states.tsx'
import styles from './Chart.module.css'

/** The value of a role such as '--d1' in the theme that is on. */
export const roleOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

interface ChartCanvasProps {
  /** What Chart.js draws; asked again when the theme changes, so colours may be read from roles. */
  config: () => ChartConfiguration
  /** What the picture says, for those who do not see it. */
  label: string
  /** In pixels of the design. */
  height: number
  /** The point that is read out, of every series: 0 is the first; null for none. */
  active: number | null
}

/** Chart.js, downloaded with the first picture and drawn again when the theme changes. */
export function ChartCanvas({ config, label, height, active }: ChartCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const chart = useRef<Chart | null>(null)
  const [failed, setFailed] = useState('')
  useEffect(() => {
    let gone = false
    const draw = async () => {
      const { Chart: Made } = await import('./chart-js.ts')
      if (gone || !canvas.current) return
      chart.current?.destroy()
      chart.current = new Made(canvas.current, config())
    }
    const start = () => void draw().catch((error: unknown) => setFailed(wordsOf(error)))
    start()
    const watch = new MutationObserver(start)
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      gone = true
      watch.disconnect()
      chart.current?.destroy()
      chart.current = null
    }
  }, [config])
  useEffect(() => {
    const sets = chart.current?.data.datasets ?? []
    const at = active === null ? [] : sets.map((_, datasetIndex) => ({ datasetIndex, index: active }))
    chart.current?.setActiveElements(at)
    chart.current?.tooltip?.setActiveElements(at, { x: 0, y: 0 })
    chart.current?.update('none')
  }, [active])
  if (failed) return <Failed title="Could not draw the chart" error={{ message: failed }} />
  return (
    <div className={styles.canvas} style={{ height: rem(height) }}>
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  )
}
