import { Button } from '@mantine/core'
import { Search } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './Find.module.css'

/** Opens Find, as Ctrl+K (⌘K on a Mac) does anywhere in Settings. */
export function FindButton({ onOpen }: { onOpen: () => void }) {
  return (
    <Button
      className={styles.button}
      size="xs"
      variant="default"
      leftSection={<Icon of={Search} size={14} />}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onOpen}
    >
      Find <kbd className={styles.key}>Ctrl K</kbd>
    </Button>
  )
}
