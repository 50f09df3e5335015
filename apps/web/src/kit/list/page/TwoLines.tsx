import type { ReactNode } from 'react'

/** A cell of two lines: the main text, and a few grey words below it. */
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
