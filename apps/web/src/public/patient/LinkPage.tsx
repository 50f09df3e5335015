import { type ReactNode, useEffect, useRef, useState } from 'react'
import { RefusedError } from '../../shared/refused.ts'
import { PatientFrame, PatientNotice } from './PatientFrame.tsx'
import type { PublicLocation } from './patient-calls.ts'

interface LinkPageProps<F> {
  token: string
  /** The call that reads the link's details. */
  read: (input: { id: string }) => Promise<F>
  onProduct: (name: string) => void
  /** Titles while loading, and after a failure. */
  loading: string
  failed: string
  /** Replaces the form for a link that does not work. */
  invalid: ReactNode
  /** Shown before the pharmacy's privacy policy. */
  foot?: (form: F) => ReactNode
  /** `onGone`: the link stopped working while the form was being filled in, so the form disappears. */
  children: (form: F, onGone: (error: RefusedError) => void) => ReactNode
}

/** The page behind a patient's link. It distinguishes a link that does not work from a server that does not answer. */
export function LinkPage<F extends { location: PublicLocation; product_name: string }>(props: LinkPageProps<F>) {
  const { token, read, onProduct } = props
  /** Null while loading. */
  const [answer, setAnswer] = useState<F | Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` repeats the request.
  useEffect(() => {
    setAnswer(null)
    read({ id: token }).then((form) => {
      setAnswer(form)
      onProduct(form.product_name)
    }, setAnswer)
  }, [read, token, attempt, onProduct])
  const form = answer instanceof Error ? null : answer
  const gone = useRef(false)
  const onGone = (error: RefusedError) => {
    gone.current = true
    setAnswer(error)
  }
  useEffect(() => {
    if (gone.current && answer instanceof Error) document.querySelector<HTMLElement>('.notice')?.focus()
  }, [answer])
  return (
    <PatientFrame
      location={form?.location ?? null}
      product={form?.product_name ?? null}
      foot={form && props.foot?.(form)}
    >
      {answer instanceof Error ? (
        isNo(answer) ? (
          props.invalid
        ) : (
          <PatientNotice title={props.failed}>
            <p>{answer.message}</p>
            <button type="button" className="go" onClick={() => setAttempt(attempt + 1)}>
              Try again
            </button>
          </PatientNotice>
        )
      ) : answer ? (
        props.children(answer, onGone)
      ) : (
        <PatientNotice title={props.loading} />
      )}
    </PatientFrame>
  )
}

/** Whether the server refused the link; any other error may pass, so it can be retried. */
const isNo = (error: Error) => error instanceof RefusedError && (error.status === 404 || error.status === 422)
