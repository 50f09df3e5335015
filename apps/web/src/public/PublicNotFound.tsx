import { NOT_FOUND_TITLE } from '@pillar/domain/access/permission'
import { useEffect } from 'react'
import { Mark } from '../shared/Mark.tsx'
import { basePathOf } from '../shared/paths.ts'
import type { PortalInfo } from './calls.ts'

/** An address that leads nowhere: one sentence and a Login link. */
export function PublicNotFound({ info }: { info: PortalInfo | null }) {
  const product = info?.product_name ?? 'Pillar'
  useEffect(() => {
    document.title = `${NOT_FOUND_TITLE} - ${product}`
  }, [product])
  return (
    <main className="lost">
      <Mark size={40} />
      <h1>{NOT_FOUND_TITLE}</h1>
      <p>There is nothing at this address. It may have been mistyped or moved.</p>
      <a href={`${basePathOf(window.location.pathname)}/login`}>Login</a>
    </main>
  )
}
