import type { PharmacyModule } from '@pillar/contract/company/company-admin'
import type { ReactNode } from 'react'
import { Tag } from '../../../kit/display/Tag.tsx'
import styles from './ModuleTag.module.css'

/** A module's name with a square in its colour. */
export function ModuleTag({ module, children }: { module: PharmacyModule; children?: ReactNode }) {
  const { display_name, display_colour, external_id } = module
  return (
    <Tag tone="outline">
      <span aria-hidden className={`${styles.square} ${styles[display_colour] ?? ''}`} />
      <span title={external_id ? `External ID ${external_id}` : undefined}>{display_name}</span>
      {children}
    </Tag>
  )
}
