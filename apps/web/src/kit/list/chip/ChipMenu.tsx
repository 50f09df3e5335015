import { Menu } from '@mantine/core'
import { Check } from 'lucide-react'
import { Icon } from '../../display/Icon.tsx'
import { Chip } from './Chip.tsx'

interface ChipMenuProps<T extends string> {
  label: string
  options: readonly { value: T; label: string }[]
  /** Null if not set. */
  value: T | null
  onChange: (value: T) => void
  /** If given, the filter can be removed. */
  onRemove?: () => void
}

/** A chip with a menu for a single choice. */
export function ChipMenu<T extends string>({ label, options, value, onChange, onRemove }: ChipMenuProps<T>) {
  const chosen = options.find((option) => option.value === value)
  return (
    <Menu>
      <Menu.Target>
        <Chip label={label} value={chosen?.label} onRemove={onRemove} opens />
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }} aria-label={label}>
        {options.map((option) => (
          <Menu.Item
            key={option.value}
            onClick={() => onChange(option.value)}
            rightSection={option.value === value ? <Icon of={Check} size={14} label="chosen" /> : null}
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
