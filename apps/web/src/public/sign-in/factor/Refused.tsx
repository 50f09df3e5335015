import type { ReactNode } from 'react'
import { Alert } from '../../icons.tsx'

/** Why something was refused; empty while nothing is wrong, so that it is read aloud when it appears. */
export function Refused({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={children ? 'refused' : undefined}>
      {children ? (
        <>
          <Alert /> <span>{children}</span>
        </>
      ) : null}
    </div>
  )
}
