import { useRouter } from '@tanstack/react-router'
import { Failed, Loading } from '../kit/display/states.tsx'
import { RefusedError } from '../shared/refused.ts'
import styles from './NotFound.module.css'

/** While the session is being opened: nothing for a moment, then skeletons. */
export function Opening() {
  return (
    <main aria-busy>
      <Loading words="Opening your session..." />
    </main>
  )
}

/** The session could not be opened, or the screen broke; says so and tries again. */
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
