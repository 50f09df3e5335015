import type { ReactNode } from 'react'

/** A cell of two lines: what it is, and a few grey words under it. */
export function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <>
      {first}
      {second ? (
        <>
          <br />
          <small className="muted">{second}</small>
        </>
      ) : null}
    </>
  )
}
