import { type ReactNode, useEffect, useRef, useState } from 'react'
import { RefusedError } from '../../shared/refused.ts'
import { PatientFrame, PatientNotice } from './PatientFrame.tsx'
import type { PublicLocation } from './patient-calls.ts'

interface LinkPageProps<F> {
  token: string
  /** The call that tells what the link is about. */
  read: (input: { id: string }) => Promise<F>
  onProduct: (name: string) => void
  /** Titles while it is read, and when that failed. */
  loading: string
  failed: string
  /** In place of the form, for a link that does not work. */
  invalid: ReactNode
  /** Before the privacy policy of the pharmacy. */
  foot?: (form: F) => ReactNode
  /** `onGone`: the link stopped working while the form was filled in, so the form goes. */
  children: (form: F, onGone: (error: RefusedError) => void) => ReactNode
}

/** The page behind a patient's link. A link that does not work and a server that does not answer are told apart. */
export function LinkPage<F extends { location: PublicLocation; product_name: string }>(props: LinkPageProps<F>) {
  const { token, read, onProduct } = props
  /** Null while it is read. */
  const [answer, setAnswer] = useState<F | Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again.
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

/** The server's no to a link; anything else may pass, so it can be tried again. */
const isNo = (error: Error) => error instanceof RefusedError && (error.status === 404 || error.status === 422)
