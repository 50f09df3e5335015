import type { Chart, ChartConfiguration } from 'chart.js'
import { useEffect, useRef, useState } from 'react'
import { rem } from '../../shared/font-scale.ts'
import { wordsOf } from '../../shared/refused.ts'
import { Failed } from '../display/states.tsx'
import { usePrinting } from '../display/usePrinting.ts'
import styles from './Chart.module.css'

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

/** Chart.js, once it is there: a page that is about to be printed does not wait for it. */
let Made: typeof Chart | undefined

/**
 * Asks again for files that did not come. Firefox, Safari and older Chromes remember that they did not and ask no more, until the page is
 * loaded again; without a connection that would leave nothing on it.
 */
async function fetchAgain(): Promise<void> {
  try {
    Made = (await import('./chart-js.ts')).Chart
  } catch {
    if (navigator.onLine) window.location.reload()
  }
}

/** Chart.js, downloaded with the first picture and drawn again when the theme changes, and for paper in the colours of paper. */
export function ChartCanvas({ config, label, height, active }: ChartCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const chart = useRef<Chart | null>(null)
  const [failed, setFailed] = useState('')
  const [again, setAgain] = useState(0)
  const printing = usePrinting()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` draws the same once more, and so does printing.
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
