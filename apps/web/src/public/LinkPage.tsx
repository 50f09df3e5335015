import { type ReactNode, useEffect, useState } from 'react'
import { RefusedError } from '../shared/refused.ts'
import { PatientFrame, PatientNotice } from './PatientFrame.tsx'
import type { PublicLocation } from './patient-calls.ts'

/** What every such page is told of where its link came from. */
interface Origin {
  location: PublicLocation
  product_name: string
}

type Read<F> =
  | { state: 'loading' }
  | { state: 'here'; form: F }
  | { state: 'invalid' }
  | { state: 'failed'; message: string }

interface LinkPageProps<F extends Origin> {
  token: string
  /** The call that tells what the link is about. */
  read: (input: { id: string }) => Promise<F>
  onProduct: (name: string) => void
  /** Titles while it is read, and when that failed. */
  loading: string
  failed: string
  /** In place of the form, for a link that does not work. */
  invalid: ReactNode
  children: (form: F) => ReactNode
}

/** The page behind a patient's link. A link that does not work and a server that does not answer are told apart. */
export function LinkPage<F extends Origin>(props: LinkPageProps<F>) {
  const { token, read: ask, onProduct, loading, failed, invalid, children } = props
  const [read, setRead] = useState<Read<F>>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again.
  useEffect(() => {
    setRead({ state: 'loading' })
    ask({ id: token }).then(
      (form) => {
        setRead({ state: 'here', form })
        onProduct(form.product_name)
      },
      (error: Error) => setRead(readFailure(error)),
    )
  }, [ask, token, attempt, onProduct])
  const form = read.state === 'here' ? read.form : null
  return (
    <PatientFrame location={form?.location ?? null} product={form?.product_name ?? null}>
      {read.state === 'loading' ? <PatientNotice title={loading} /> : null}
      {read.state === 'invalid' ? invalid : null}
      {read.state === 'failed' ? (
        <PatientNotice title={failed}>
          <p>{read.message}</p>
          <button type="button" className="go" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
        </PatientNotice>
      ) : null}
      {form ? children(form) : null}
    </PatientFrame>
  )
}

/** The server's no to a link is the fixed state; anything else may pass, so it can be tried again. */
export function readFailure(error: Error): { state: 'invalid' } | { state: 'failed'; message: string } {
  const refused = error instanceof RefusedError ? error.status : 0
  if (refused === 404 || refused === 422) return { state: 'invalid' }
  return { state: 'failed', message: error.message }
}
