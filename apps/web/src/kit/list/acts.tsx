import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { wordsOf } from '../../shared/refused.ts'
import { Icon } from '../display/Icon.tsx'
import { toastFailure } from '../display/toast.tsx'

/** An act on a row or on a selection. */
export interface Act {
  label: string
  icon: LucideIcon
  /** A failure not shown elsewhere appears as a toast. */
  run: () => unknown
  danger?: boolean
  /** Why it is not available now. */
  disabled?: string | undefined
}

/** Runs an act, and never hides an error it throws. */
export function start({ run }: Pick<Act, 'run'>): void {
  void Promise.resolve()
    .then(run)
    .catch((thrown: unknown) => toastFailure(wordsOf(thrown)))
}

/** The acts on one row: the first as an icon, the others in a menu. `of` names the row for screen readers. */
export function RowActs({ acts: [first, ...others], of }: { acts: readonly Act[]; of: string }) {
  if (!first) return null
  return (
    <>
      <ActionIcon
        aria-label={`${first.label} ${of}`}
        title={first.disabled ?? first.label}
        disabled={first.disabled !== undefined}
        onClick={() => start(first)}
      >
        <Icon of={first.icon} />
      </ActionIcon>
      {others.length === 0 ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={`More about ${of}`} title="More">
              <Icon of={Ellipsis} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((act) => (
              <Menu.Item
                key={act.label}
                color={act.danger ? 'brick' : undefined}
                leftSection={<Icon of={act.icon} />}
                disabled={act.disabled !== undefined}
                title={act.disabled}
                onClick={() => start(act)}
              >
                {act.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}
