import { type ReactNode, useEffect } from 'react'
import { Mark } from '../../shared/Mark.tsx'
import { Contacts } from '../Contacts.tsx'
import type { PortalInfo } from '../calls.ts'
import { PillarDrawing } from './PillarDrawing.tsx'

interface SignInFrameProps {
  info: PortalInfo | null
  /** The document's title: '<title> - <product>'. */
  title: string
  /** The form. */
  children: ReactNode
}

/** Form on the left, drawing on the right, contacts at the foot. */
export function SignInFrame({ info, title, children }: SignInFrameProps) {
  const product = info?.product_name ?? 'Pillar'
  useEffect(() => {
    document.title = `${title} - ${product}`
  }, [title, product])
  return (
    <div className="login">
      <main>
        <div className="brand">
          <Mark size={28} />
          <b>{product}</b>
        </div>
        {children}
        {info ? <Contacts info={info} /> : <footer className="contacts" />}
      </main>
      <PillarDrawing />
    </div>
  )
}
