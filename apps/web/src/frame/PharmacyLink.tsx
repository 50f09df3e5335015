import { Link } from '@tanstack/react-router'
import { useSession } from '../session/session.ts'

/** Beside a name that leads elsewhere: to the pharmacy's figures; nothing for somebody who may not see them. */
export function FiguresLink({ id, name, className }: Pick<PharmacyLinkProps, 'id' | 'name' | 'className'>) {
  const { data_analytics: mayOpen } = useSession()
  if (!mayOpen) return null
  return (
    <Link to="/financials/pharmacy/$id" params={{ id }} search={{}} className={className}>
      Figures<span className="sr"> of {name}</span>
    </Link>
  )
}

interface PharmacyLinkProps {
  id: string
  name: string
  /** The period of the page it stands on, as the address has it. */
  period?: string | number | undefined
  className?: string | undefined
  /** -1 within a grid, whose own keys open it. */
  tabIndex?: number
}

/** A pharmacy's name, leading to its page; plain text for somebody who may not see its figures. */
export function PharmacyLink({ id, name, period, className, tabIndex }: PharmacyLinkProps) {
  const { data_analytics: mayOpen } = useSession()
  if (!mayOpen) return className ? <span className={className}>{name}</span> : name
  return (
    <Link
      to="/financials/pharmacy/$id"
      params={{ id }}
      search={period === undefined ? {} : { period }}
      className={className}
      tabIndex={tabIndex}
    >
      {name}
    </Link>
  )
}
