import type { LoginAnswer } from '@pillar/contract/access/session'
import { formatDate } from '@pillar/domain/time/locale'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { type ReactNode, useEffect, useState } from 'react'
import { Alert } from '../../icons.tsx'
import { addressAfter } from '../after-sign-in.ts'
import { AddPasskey } from './AddPasskey.tsx'
import { APP, isNeeded, removing, replacingCodes } from './consequence.ts'
import {
  type FactorStatus,
  forgetBrowsers,
  newRecoveryCodes,
  removeApp,
  removePasskey,
  startApp,
} from './factor-calls.ts'
import { PasswordAgain } from './PasswordAgain.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { Refused } from './Refused.tsx'
import { codesWords, fewCodesLeft } from './recovery-words.ts'
import { SetUpApp } from './SetUpApp.tsx'
import { useNewPasskey } from './useNewPasskey.ts'
import { type Protected, useProtected } from './useProtected.ts'

interface ManageProps {
  who: LoginAnswer
  status: FactorStatus
  onChange: () => void
  onLeave: () => void
  /** A note that the data could not be read again; null while it is current. */
  stale: ReactNode
}

/** A new app's secret, or a new passkey, once either is being added. */
type Open = { secret: string; uri: string } | 'passkey' | null

/** Manages a signed-in person's second factors: adding, removing, and the codes in case they are lost. */
export function ManageFactors({ who, status, onChange, onLeave, stale }: ManageProps) {
  const [open, setOpen] = useState<Open>(null)
  const [codes, setCodes] = useState<{ list: string[]; again: boolean } | null>(null)
  const guarded = useProtected(who.username, () => {
    setOpen(null)
    onChange()
  })
  const adding = open === null || open === 'passkey' ? open : 'app'
  useHeading(guarded.question ? 'password' : codes ? 'codes' : adding, status)
  const setUp = status.state === 'setup'
  const show = (next: Open) => {
    guarded.forget()
    setOpen(next)
  }
  const added = (fresh: string[] | null, again = false) => {
    setOpen(null)
    setCodes(fresh && { list: fresh, again })
    onChange()
  }
  const passkey = useNewPasskey(guarded, added)
  if (guarded.question) return <PasswordAgain asked={guarded.question} />
  if (codes) return <RecoveryCodes codes={codes.list} again={codes.again} onKept={() => setCodes(null)} />
  if (open === 'passkey') return <AddPasskey passkey={passkey} error={guarded.error} onBack={() => show(null)} />
  if (open) return <SetUpApp made={open} onDone={added} onDoubt={guarded.doubt} onBack={() => show(null)} />
  const on = status.app || status.passkeys.length > 0
  return (
    <div className="sheet">
      <h1>Second factor</h1>
      <p className="lead">
        {setUp
          ? 'Your login gives access to many people’s data. To continue, set up a second factor in addition to your password.'
          : on
            ? 'Pillar asks for it after your password whenever you sign in.'
            : 'A second step after your password, so that a stolen password is not enough.'}
      </p>
      <Refused>{guarded.error}</Refused>
      {stale}
      <Factor title="Authenticator app" state={status.app ? `On${neededWords(status)}` : 'Off'}>
        {status.app ? (
          <Button
            disabled={isNeeded(status)}
            run={() =>
              guarded.run('delete', null, (grant) => removeApp({}, grant).then(onChange), removing(APP, status))
            }
          >
            Remove
          </Button>
        ) : (
          <Button run={() => guarded.run('save', null, async (grant) => setOpen(await startApp({}, grant)))}>
            Set up
          </Button>
        )}
      </Factor>
      <Passkeys who={who} status={status} guarded={guarded} onChange={onChange} onAdd={() => show('passkey')} />
      {on ? (
        <Factor title="Recovery codes" state={codesWords(status)} warns={fewCodesLeft(status)}>
          <Button
            run={() =>
              guarded.run(
                'save',
                null,
                async (grant) => added((await newRecoveryCodes({}, grant)).recovery_codes, true),
                replacingCodes(status),
              )
            }
          >
            Get new codes
          </Button>
        </Factor>
      ) : null}
      {status.remembered_browsers > 0 ? (
        <Factor title="Remembered browsers" state={String(status.remembered_browsers)}>
          <Button run={() => guarded.run('save', null, () => forgetBrowsers({}).then(onChange))}>Forget all</Button>
        </Factor>
      ) : null}
      {setUp ? (
        <button type="button" className="link back" onClick={onLeave}>
          Sign out
        </button>
      ) : (
        <button type="button" className="primary" onClick={() => window.location.assign(addressAfter(who))}>
          {status.required ? 'Continue to the portal' : 'Back to the portal'}
        </button>
      )}
    </div>
  )
}

/** If the focused element disappears, the heading of the new view gets the focus. */
function useHeading(view: string | null, status: FactorStatus): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the view changes.
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading || document.activeElement !== document.body) return
    heading.tabIndex = -1
    heading.focus()
  }, [view, status])
}

interface PasskeysProps extends Omit<ManageProps, 'onLeave' | 'stale'> {
  guarded: Protected
  onAdd: () => void
}

function Passkeys({ who, status, guarded, onChange, onAdd }: PasskeysProps) {
  const { country } = who.company
  const on = (moment: string) => formatDate(country, dayIn(zoneOf(country, null), new Date(moment)))
  return (
    <>
      <Factor
        title="Passkeys"
        state={
          status.passkeys_possible ? String(status.passkeys.length || 'None') : 'Need a host name, not an IP address'
        }
      >
        {status.passkeys_possible ? <Button run={onAdd}>Add a passkey</Button> : null}
      </Factor>
      {status.passkeys.map(({ id, name, created_at, last_used_at }) => (
        <Factor
          key={id}
          title={name}
          inner
          state={`${last_used_at ? `Used ${on(last_used_at)}` : `Added ${on(created_at)}`}${neededWords(status)}`}
        >
          <Button
            name={`Remove ${name}`}
            disabled={isNeeded(status)}
            run={() =>
              guarded.run(
                'delete',
                id,
                (grant) => removePasskey(id, grant).then(onChange),
                removing(`the passkey “${name}”`, status),
              )
            }
          >
            Remove
          </Button>
        </Factor>
      ))}
    </>
  )
}

/** Why the only second factor of a login that must have one stays. */
const neededWords = (status: FactorStatus) => (isNeeded(status) ? '. Add another one before you remove it.' : '')

interface FactorProps {
  title: string
  state: string
  inner?: boolean
  warns?: boolean
  children: ReactNode
}

function Factor({ title, state, inner, warns, children }: FactorProps) {
  return (
    <div className={inner ? 'factor inner' : 'factor'}>
      <span>
        <b>{title}</b>{' '}
        <span className={warns ? 'note warns' : 'note'}>
          {warns ? <Alert /> : null}
          {state}
        </span>
      </span>
      {children}
    </div>
  )
}

interface ButtonProps {
  run: () => void
  name?: string
  disabled?: boolean
  children: string
}

function Button({ run, name, disabled, children }: ButtonProps) {
  return (
    <button type="button" className="secondary" aria-label={name} disabled={disabled} onClick={run}>
      {children}
    </button>
  )
}
