import { joined } from '@pillar/domain/text/sentence'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { Tag } from '../../../kit/display/Tag.tsx'
import styles from './CampaignAdmin.module.css'

const SHOWN = 2

/** The first two names as tags, and the number of the rest. */
export function NameTags({ names }: { names: readonly string[] }) {
  if (names.length === 0) return NO_VALUE
  return (
    <span className={styles.tags} title={joined(names)}>
      {names.slice(0, SHOWN).map((name) => (
        <Tag key={name} tone="outline">
          {name}
        </Tag>
      ))}
      {names.length > SHOWN ? <span className="muted">+ {names.length - SHOWN} more</span> : null}
    </span>
  )
}
