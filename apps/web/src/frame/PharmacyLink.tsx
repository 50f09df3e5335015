import { Link } from '@tanstack/react-router'
import { useSession } from '../session/session.ts'

/** Beside a name that links elsewhere: a link to the pharmacy's figures; nothing for people who may not see them. */
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
  /** The current page's period, as in the address. */
  period?: string | number | undefined
  className?: string | undefined
  /** -1 within a grid, whose own keys open the link. */
  tabIndex?: number
}

/** A pharmacy's name, linked to its page; plain text for people who may not see its figures. */
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
