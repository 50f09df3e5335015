import { Button } from '@mantine/core'
import { formatCountdown } from '@pillar/domain/access/session'
import { useEffect, useState } from 'react'
import { Dialog } from '../kit/dialog/Dialog.tsx'
import { continueSession, countdownNow, leave } from './session.ts'

/** Counts down every second; warns from 120 s before the end, and signs out at zero. Rendered once, in the frame. */
export function SessionWarning() {
  const [left, setLeft] = useState(() => countdownNow())
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    const tick = () => {
      const now = countdownNow()
      setLeft(now)
      if (now.state === 'ended') void leave('timed-out', true)
    }
    const timer = setInterval(tick, 1000)
    // A sleeping tab gets no ticks, so it checks at once when it wakes.
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [])

  const goOn = async () => {
    setBusy(true)
    setError(null)
    try {
      await continueSession()
      setLeft(countdownNow())
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown))
    }
    setBusy(false)
  }
  return (
    <Dialog
      opened={left.state === 'warning'}
      onClose={() => {}}
      closable={false}
      title="Are you still there?"
      error={error}
      foot={
        <>
          <Button onClick={() => leave('signed-out', true)}>Sign out</Button>
          <Button variant="filled" onClick={goOn} loading={busy} data-autofocus>
            Continue
          </Button>
        </>
      }
    >
      <p role="timer">
        You will be signed out in <b className="tabular">{formatCountdown(left.seconds)}</b>
      </p>
      <p className="muted">Anything on this page that is not saved will be lost.</p>
    </Dialog>
  )
}
