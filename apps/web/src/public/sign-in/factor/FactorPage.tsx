import type { LoginAnswer } from '@pillar/contract/access/session'
import { type ReactNode, useEffect, useState } from 'react'
import { clearMarker, hasMarker, keepEnding } from '../../../shared/marker.ts'
import { basePathOf } from '../../../shared/paths.ts'
import { RefusedError, wordsOf } from '../../../shared/refused.ts'
import { logout, type PortalInfo, refresh } from '../../calls.ts'
import { addressAfter } from '../after-sign-in.ts'
import { SignInFrame } from '../SignInFrame.tsx'
import { CheckForm } from './CheckForm.tsx'
import { type FactorStatus, readStatus } from './factor-calls.ts'
import { ManageFactors } from './ManageFactors.tsx'
import { Refused } from './Refused.tsx'

function toLogin(ending: 'expired' | 'signed-out'): void {
  if (hasMarker()) keepEnding(ending)
  clearMarker()
  window.location.replace(`${basePathOf(window.location.pathname)}/login`)
}

interface Opened {
  who: LoginAnswer
  status: FactorStatus
}

/** The second factor: shown at sign-in, set up if required, or managed. */
export function FactorPage({ info }: { info: PortalInfo | null }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const load = () => {
    open().then(
      (read) => {
        setOpened(read)
        setFailure(null)
      },
      (error: unknown) => {
        if (error instanceof RefusedError && error.expired) toLogin('expired')
        else setFailure(wordsOf(error))
      },
    )
  }
  // Once, when the page opens.
  useEffect(load, [])
  const leave = async () => {
    await logout({}).catch(() => null)
    toLogin('signed-out')
  }
  return (
    <SignInFrame info={info} title="Second factor">
      {opened ? (
        opened.status.state === 'check' ? (
          <CheckForm status={opened.status} onDone={goOn} onLeave={leave} />
        ) : (
          <ManageFactors
            who={opened.who}
            status={opened.status}
            onChange={load}
            onLeave={leave}
            stale={
              failure ? (
                <LoadFailed onRetry={load}>What is shown here could not be read again. {failure}</LoadFailed>
              ) : null
            }
          />
        )
      ) : (
        <div className="sheet">{failure ? <LoadFailed onRetry={load}>{failure}</LoadFailed> : null}</div>
      )}
    </SignInFrame>
  )
}

function LoadFailed({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  return (
    <>
      <Refused>{children}</Refused>
      <button type="button" className="primary" onClick={onRetry}>
        Try again
      </button>
    </>
  )
}

async function open(): Promise<Opened> {
  const who = await refresh({})
  return { who, status: await readStatus({}) }
}

/** Continues to the page this person wanted. */
const goOn = (who: LoginAnswer) => window.location.assign(addressAfter(who))
