import type { Chart, ChartConfiguration } from 'chart.js'
import { useEffect, useRef, useState } from 'react'
import { rem } from '../../shared/font-scale.ts'
import { wordsOf } from '../../shared/refused.ts'
import { Failed } from '../display/states.tsx'
import { usePrinting } from '../display/usePrinting.ts'
import styles from './Chart.module.css'

interface ChartCanvasProps {
  /** The Chart.js configuration; called again when the theme changes, so colours may be read from roles. */
  config: () => ChartConfiguration
  /** A description of the chart for screen readers. */
  label: string
  /** In the design's pixels. */
  height: number
  /** The point that is read out, in every series: 0 is the first; null for none. */
  active: number | null
}

/** Chart.js, once loaded; a page about to be printed does not wait for it. */
let Made: typeof Chart | undefined

/**
 * Requests files again that failed to load. Firefox, Safari and older Chromes remember the failure and stop asking until the page is reloaded,
 * which without a connection would leave it empty.
 */
async function fetchAgain(): Promise<void> {
  try {
    Made = (await import('./chart-js.ts')).Chart
  } catch {
    if (navigator.onLine) window.location.reload()
  }
}

/** Chart.js, downloaded with the first chart; it draws again when the theme changes, and for paper in paper colours. */
export function ChartCanvas({ config, label, height, active }: ChartCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const chart = useRef<Chart | null>(null)
  const [failed, setFailed] = useState('')
  const [again, setAgain] = useState(0)
  const printing = usePrinting()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` redraws, and so does printing.
  useEffect(() => {
    let gone = false
    setFailed('')
    const draw = (Class: typeof Chart) => {
      if (gone || !canvas.current) return
      Made = Class
      chart.current?.destroy()
      chart.current = new Class(canvas.current, config())
    }
    const fail = (error: unknown) => setFailed(wordsOf(error))
    const start = () => {
      if (!Made) return void import('./chart-js.ts').then(({ Chart: Class }) => draw(Class)).catch(fail)
      try {
        draw(Made)
      } catch (error) {
        fail(error)
      }
    }
    start()
    const watch = new MutationObserver(start)
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      gone = true
      watch.disconnect()
      chart.current?.destroy()
      chart.current = null
    }
  }, [config, again, printing])
  useEffect(() => {
    const sets = chart.current?.data.datasets ?? []
    const at = active === null ? [] : sets.map((_, datasetIndex) => ({ datasetIndex, index: active }))
    chart.current?.setActiveElements(at)
    chart.current?.tooltip?.setActiveElements(at, { x: 0, y: 0 })
    chart.current?.update('none')
  }, [active])
  return (
    <>
      {failed ? (
        <Failed
          title="Could not draw the chart"
          error={{ message: failed }}
          onRetry={async () => {
            if (!Made) await fetchAgain()
            setAgain((times) => times + 1)
          }}
        />
      ) : null}
      <div className={styles.canvas} style={{ height: rem(height) }} hidden={failed !== ''}>
        <canvas ref={canvas} role="img" aria-label={label} />
      </div>
    </>
  )
}
