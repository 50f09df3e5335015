import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode } from 'react'

interface LinkButtonProps extends ButtonProps {
  /** A screen of the portal, or with `href` an address outside it. */
  to?: string
  search?: object
  href?: string
  children: ReactNode
}

/** A link that looks like a button. Passing a Button another component keeps it a button of ours, which leads nowhere. */
export function LinkButton({ to = '.', search = {}, href, children, ...look }: LinkButtonProps) {
  const renderRoot = ({ type: _, ...given }: AnchorHTMLAttributes<HTMLAnchorElement>) =>
    href === undefined ? <Link {...given} to={to} search={search as never} /> : <a {...given} href={href} />
  return (
    <Button {...look} renderRoot={renderRoot}>
      {children}
    </Button>
  )
}
