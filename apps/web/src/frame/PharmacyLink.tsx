import { Link } from '@tanstack/react-router'
import { useSession } from '../session/session.ts'

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
