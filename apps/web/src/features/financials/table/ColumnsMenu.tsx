import { Button, Popover } from '@mantine/core'
import { plural } from '@pillar/domain/figure/format'
import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../../kit/display/Icon.tsx'
import styles from '../Financials.module.css'
import { CheckList } from '../filter/CheckList.tsx'

interface ColumnsMenuProps {
  category: string
  /** All subcategories, in the table's order. */
  all: readonly string[]
  shown: readonly string[]
  onChange: (shown: readonly string[]) => void
}

/** Which subcategories have a column. The column over all of them always stays. */
export function ColumnsMenu({ category, all, shown, onChange }: ColumnsMenuProps) {
  const [opened, setOpened] = useState(false)
  const [draft, setDraft] = useState<ReadonlySet<string>>(new Set())
  const toggle = (next: boolean) => {
    if (next) setDraft(new Set(shown))
    setOpened(next)
  }
  const name = plural(category)
  return (
    <Popover opened={opened} onChange={toggle} position="top-start" trapFocus returnFocus width={320}>
      <Popover.Target>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<Icon of={Columns3} size={15} />}
          aria-haspopup="dialog"
          onClick={() => toggle(!opened)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" className={styles.columns}>
        <CheckList
          label="Columns"
          many={name}
          options={all.map((value) => ({ value, label: value }))}
          checked={draft}
          onChange={setDraft}
        />
        <div className={styles.columnsFoot}>
          {draft.size === 0 ? <span className="muted">Please select at least one</span> : null}
          <Button
            variant="filled"
            size="xs"
            disabled={draft.size === 0}
            onClick={() => {
              setOpened(false)
              onChange([...draft])
            }}
          >
            Show {draft.size === 1 ? '1 column' : `${draft.size.toLocaleString('en-AU')} columns`}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
