import { useState } from 'react'
import { copyText } from '../../../shared/copy-text.ts'

interface CodesProps {
  codes: readonly string[]
  /** Whether they replace earlier ones. */
  again: boolean
  onKept: () => void
}

/** Recovery codes, shown once; the person continues by confirming that they have saved them. */
export function RecoveryCodes({ codes, again, onKept }: CodesProps) {
  const [kept, setKept] = useState(false)
  const [copied, setCopied] = useState<string | null>(null)
  const copy = () =>
    copyText(codes.join('\n')).then(
      () => setCopied('Copied.'),
      () => setCopied('They could not be copied: the browser does not allow it here.'),
    )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (kept) onKept()
      }}
    >
      <h1>Recovery codes</h1>
      <p className="lead">
        Keep these where you keep passwords. Each signs you in once when your second factor is lost. They are not shown
        again.{again ? ' Codes you got earlier no longer work.' : ''}
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className="ways">
        <button type="button" className="link" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" className="link" onClick={() => window.print()}>
          Print
        </button>
        <span role="status">{copied}</span>
      </p>
      <label className="tick">
        <input type="checkbox" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />I have saved
        them
      </label>
      <button
        type="submit"
        className="primary spaced"
        disabled={!kept}
        title={kept ? undefined : 'Tick the box once you have saved them'}
      >
        Continue
      </button>
    </form>
  )
}
