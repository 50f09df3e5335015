import { ActionIcon, Button, Checkbox, Popover, TextInput } from '@mantine/core'
import { plural } from '@pillar/domain/figure/format'
import { ArrowDown, ArrowUp, Columns3, Search } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../../kit/display/Icon.tsx'
import { allThatMatch } from '../../../kit/form/common.ts'
import { allChosen, matching, toggled, toggledAll } from '../../../kit/form/multi-select-model.ts'
import styles from './ColumnsMenu.module.css'
import { shifted } from './taste.ts'

interface ColumnsMenuProps {
  category: string
  /** All subcategories, in the person's order. */
  all: readonly string[]
  shown: readonly string[]
  /** The columns to show, and the order of all. */
  onChange: (shown: readonly string[], order: readonly string[]) => void
  /** Resets to the server's order with every column. */
  onReset: () => void
}

/** Chooses which subcategories have a column, and their order. The column over all of them always stays first. */
export function ColumnsMenu(props: ColumnsMenuProps) {
  const [opened, setOpened] = useState(false)
  const toggle = () => setOpened((was) => !was)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="top-start"
      // On a phone there may be less room, and then its list is shorter.
      middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
      trapFocus
      returnFocus
      width="min(340px, 100vw - 16px)"
    >
      <Popover.Target>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<Icon of={Columns3} size={15} />}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" className={styles.panel}>
        <Choice {...props} onClose={toggle} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Choice({ category, all, shown, onChange, onReset, onClose }: ColumnsMenuProps & { onClose: () => void }) {
  const [order, setOrder] = useState<readonly string[]>(all)
  const [on, setOn] = useState<ReadonlySet<string>>(() => new Set(shown))
  const close = (then: () => void) => () => {
    onClose()
    then()
  }
  return (
    <>
      <Fields {...{ category, order, on, setOrder, setOn }} />
      <div className={styles.foot}>
        <Button variant="subtle" size="xs" onClick={close(onReset)}>
          Reset
        </Button>
        {on.size === 0 ? <span className="muted">Please select at least one</span> : null}
        <Button
          variant="filled"
          size="xs"
          disabled={on.size === 0}
          onClick={close(() =>
            onChange(
              order.filter((field) => on.has(field)),
              order,
            ),
          )}
        >
          Show {on.size === 1 ? '1 column' : `${on.size.toLocaleString('en-AU')} columns`}
        </Button>
      </div>
    </>
  )
}

interface FieldsProps {
  category: string
  order: readonly string[]
  on: ReadonlySet<string>
  setOrder: (order: readonly string[]) => void
  setOn: (on: ReadonlySet<string>) => void
}

/** The subcategories, to search, tick and move. */
function Fields({ category, order, on, setOrder, setOn }: FieldsProps) {
  const [search, setSearch] = useState('')
  const options = order.map((field) => ({ value: field, label: field }))
  const found = matching(options, search)
  const whole = found.length === options.length
  const name = plural(category)
  const set = (fields: readonly string[]) => setOn(new Set(fields))
  return (
    <>
      <TextInput
        size="sm"
        aria-label={`Search ${name}`}
        placeholder={`Search ${name}`}
        leftSection={<Icon of={Search} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className={styles.bar}>
        <span aria-live="polite">
          {on.size} of {options.length} selected
        </span>
        <Button
          variant="subtle"
          size="xs"
          disabled={found.length === 0}
          onClick={() => set(toggledAll(options, found, [...on]))}
        >
          {allChosen(found, on) ? 'Clear' : 'Select'} {whole ? 'all' : allThatMatch(found.length)}
        </Button>
      </div>
      {found.length === 0 ? <p className={styles.none}>No records found</p> : null}
      <ul className={styles.list} aria-label="Columns">
        {found.map(({ value: field }, at) => (
          <li key={field} className={styles.row}>
            <Checkbox
              size="xs"
              label={field}
              checked={on.has(field)}
              onChange={() => set(toggled(options, [...on], field))}
            />
            {whole ? (
              <>
                <Move {...{ field, by: -1, blocked: at === 0 }} onMove={() => setOrder(shifted(order, field, -1))} />
                <Move
                  {...{ field, by: 1, blocked: at === found.length - 1 }}
                  onMove={() => setOrder(shifted(order, field, 1))}
                />
              </>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  )
}

interface MoveProps {
  field: string
  by: -1 | 1
  /** It is already at the end. The button keeps the focus, so that the opposite direction is one press away. */
  blocked: boolean
  onMove: () => void
}

function Move({ field, by, blocked, onMove }: MoveProps) {
  return (
    <ActionIcon
      size={24}
      aria-label={`Move ${field} ${by < 0 ? 'up' : 'down'}`}
      aria-disabled={blocked}
      data-disabled={blocked || undefined}
      onClick={() => blocked || onMove()}
    >
      <Icon of={by < 0 ? ArrowUp : ArrowDown} size={14} />
    </ActionIcon>
  )
}
