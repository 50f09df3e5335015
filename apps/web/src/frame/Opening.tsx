import { useRouter } from '@tanstack/react-router'
import page from '../kit/display/Page.module.css'
import { Failed, Loading } from '../kit/display/states.tsx'
import { Mark } from '../shared/Mark.tsx'
import { RefusedError } from '../shared/refused.ts'
import frame from './Frame.module.css'
import styles from './NotFound.module.css'
import rail from './Rail.module.css'

/** While the session opens: space for the rail at once, so that nothing moves when it appears; skeletons after a moment. */
export function Opening() {
  return (
    <>
      <div className={frame.top}>
        <Mark size={20} />
      </div>
      <div className={rail.rail} aria-hidden>
        <span className={rail.mark}>
          <Mark />
        </span>
      </div>
      <main aria-busy className={frame.main}>
        <div className={page.head} />
        <Loading words="Opening your session..." />
      </main>
    </>
  )
}

/** Shown when the session could not be opened, or the screen crashed, with a way to try again. */
export function OpenFailed({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  const refused = error instanceof RefusedError
  // The login page is already on its way.
  if (refused && error.expired) return null
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <main className={styles.page}>
      <Failed
        title={refused ? 'Could not open your session' : 'This page stopped working'}
        error={refused ? error : { message: 'Nothing was changed. Try again; if it happens again, tell support.' }}
        onRetry={again}
      />
    </main>
  )
}
