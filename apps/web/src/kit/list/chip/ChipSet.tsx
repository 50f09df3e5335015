import { Menu } from '@mantine/core'
import { joined } from '@pillar/domain/text/sentence'
import { Check } from 'lucide-react'
import { Icon } from '../../display/Icon.tsx'
import { Chip } from './Chip.tsx'

interface ChipSetProps {
  label: string
  /** `short` is shown on the chip if the label is long. */
  options: readonly { value: string; label: string; short?: string }[]
  value: readonly string[]
  /** Gets the new selection, in the order of the options. */
  onChange: (value: string[]) => void
}

/** A chip with a menu for any number of choices; none means any. */
export function ChipSet({ label, options, value, onChange }: ChipSetProps) {
  const chosen = options.filter((option) => value.includes(option.value))
  const toggle = (one: string) =>
    onChange(options.flatMap((option) => (value.includes(option.value) !== (option.value === one) ? option.value : [])))
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <Chip label={label} value={joined(chosen.map((one) => one.short ?? one.label)) || 'Any'} opens />
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {options.map((option) => (
          <Menu.Item
            key={option.value}
            role="menuitemcheckbox"
            aria-checked={value.includes(option.value)}
            onClick={() => toggle(option.value)}
            rightSection={value.includes(option.value) ? <Icon of={Check} size={14} /> : null}
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
