import { NativeSelect } from '@mantine/core'
import type { BoardData } from '@pillar/contract/board'
import { useCallback, useEffect, useState } from 'react'
import { Failed, NotRefreshed } from '../kit/display/states.tsx'
import { post } from '../shared/post.ts'
import { RefusedError } from '../shared/refused.ts'
import styles from './Board.module.css'
import { Method } from './Method.tsx'
import {
  AdherencePicture,
  ArrivalsPicture,
  CurvePicture,
  ReachPicture,
  SeasonPicture,
  SharePicture,
} from './pictures.tsx'
import { headlinesOf, hiddenIn } from './words.ts'

interface BoardProps {
  /** The newest token, which is replaced while the board is open. */
  tokenOf: () => string
  /** The requested drug type; null for the first one. */
  asked: string | null
  onAsk: (drugClass: string) => void
  /** Gets the board's height whenever it changes, for paper. */
  onHeight: (height: number) => void
}

/** One of Pillar's own boards: closed months of the network, as charts. */
export function Board({ tokenOf, asked, onAsk, onHeight }: BoardProps) {
  const [data, setData] = useState<BoardData | null>(null)
  const [error, setError] = useState<RefusedError | null>(null)
  const [again, setAgain] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` repeats the request.
  useEffect(() => {
    const gone = new AbortController()
    setError(null)
    post('/api/board-data', { token: tokenOf(), drug_class: asked }, { signal: gone.signal }).then(
      (answer) => setData(answer as BoardData),
      (cause) => {
        if (!gone.signal.aborted)
          setError(cause instanceof RefusedError ? cause : new RefusedError(0, 'The board could not be read.'))
      },
    )
    return () => gone.abort()
  }, [asked, again, tokenOf])
  const retry = () => setAgain(again + 1)
  const measured = useCallback(
    (board: HTMLElement) => {
      // Up to its foot: the board itself is at least as high as the frame.
      const watch = new ResizeObserver(() => {
        const foot = board.lastElementChild as HTMLElement
        onHeight(foot.offsetTop + foot.offsetHeight)
      })
      watch.observe(board)
      return () => watch.disconnect()
    },
    [onHeight],
  )
  if (!data) {
    if (error) return <Failed title="Could not load the board" error={error} onRetry={retry} />
    return <p className={styles.wait}>Loading Analytics...</p>
  }
  return (
    <main ref={measured} className={styles.board}>
      <h1 className="sr">{data.name}</h1>
      {error ? <NotRefreshed what="the board" error={error} onRetry={retry} /> : null}
      {data.drug_class === null ? <Empty data={data} /> : <Head data={data} asked={asked} onAsk={onAsk} />}
      <div className={styles.pictures}>
        {data.reach ? <ReachPicture data={data} reach={data.reach} /> : null}
        {data.drug_class === null ? null : (
          <>
            <SharePicture data={data} />
            <ArrivalsPicture data={data} />
            <CurvePicture data={data} />
            <SeasonPicture data={data} />
            <AdherencePicture data={data} />
          </>
        )}
      </div>
      <footer className={styles.foot}>
        <span>{hiddenIn(data)}</span>
        <Method data={data} />
      </footer>
    </main>
  )
}

function Empty({ data }: { data: BoardData }) {
  return (
    <section className={styles.empty}>
      <h2>Nothing is published yet</h2>
      <p>
        {data.dashboard_type === 'Supplier'
          ? 'This board has no products of yours to show, or too few pharmacies dispense them. Ask support which products the dashboard names.'
          : 'A month appears 8 days after its end, once pharmacies of at least four companies have sent in nearly all of it.'}
      </p>
    </section>
  )
}

function Head({ data, asked, onAsk }: { data: BoardData } & Pick<BoardProps, 'asked' | 'onAsk'>) {
  return (
    <>
      <div className={styles.bar}>
        <NativeSelect
          aria-label="Drug type"
          data={data.drug_classes}
          value={asked && data.drug_classes.includes(asked) ? asked : (data.drug_class ?? '')}
          onChange={(event) => onAsk(event.currentTarget.value)}
        />
        <span className={styles.counts}>Counts only: no patient, prescriber or pharmacy is named</span>
      </div>
      <dl className={styles.figures}>
        {headlinesOf(data).map(({ label, value, note }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <b>{value}</b> {note}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
