import { NOT_FOUND_TITLE } from '@pillar/domain/access/permission'
import { useEffect } from 'react'
import { Mark } from '../shared/Mark.tsx'
import { basePathOf } from '../shared/paths.ts'
import type { PortalInfo } from './calls.ts'

/** The page for an unknown address: one sentence and a Login link. */
export function PublicNotFound({ info }: { info: PortalInfo | null }) {
  const product = info?.product_name ?? 'Pillar'
  useEffect(() => {
    document.title = `${NOT_FOUND_TITLE} - ${product}`
  }, [product])
  return (
    <main className="lost">
      <Mark size={40} />
      <h1>{NOT_FOUND_TITLE}</h1>
      <p>Check the address for typing mistakes, or sign in and use the menu.</p>
      <a href={`${basePathOf(window.location.pathname)}/login`}>Sign in</a>
    </main>
  )
}
