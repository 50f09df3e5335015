import type { LoginAnswer } from '@pillar/contract/access/session'
import { type ReactNode, useEffect, useState } from 'react'
import { wordsOf } from '../../../shared/refused.ts'
import { logout, type PortalInfo } from '../../calls.ts'
import { addressAfter } from '../after-sign-in.ts'
import { SignInFrame } from '../SignInFrame.tsx'
import { CheckForm } from './CheckForm.tsx'
import { type FactorStatus, readStatus, readWho } from './factor-calls.ts'
import { ManageFactors } from './ManageFactors.tsx'
import { Refused } from './Refused.tsx'
import { fewCodesLeft } from './recovery-words.ts'
import { toLogin } from './to-login.ts'

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
      (error: unknown) => setFailure(wordsOf(error)),
    )
  }
  // Once, when the page opens.
  useEffect(load, [])
  const leave = async () => {
    await logout({}).catch(() => null)
    toLogin('signed-out')
  }
  /** Whoever has used one of the last recovery codes is shown how few are left before going on. */
  const checked = async (who: LoginAnswer, recovery: boolean) => {
    const status = recovery && !who.must_change_password ? await readStatus({}).catch(() => null) : null
    if (status && fewCodesLeft(status)) setOpened({ who, status })
    else goOn(who)
  }
  return (
    <SignInFrame info={info} title="Second factor">
      {opened ? (
        opened.status.state === 'check' ? (
          <CheckForm status={opened.status} onDone={checked} onLeave={leave} />
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
  const who = await readWho()
  return { who, status: await readStatus({}) }
}

/** Continues to the page this person wanted. */
const goOn = (who: LoginAnswer) => window.location.assign(addressAfter(who))
