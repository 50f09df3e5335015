import { Button } from '@mantine/core'
import { useId } from 'react'

/** Shown instead of a step's content until there is a company: the step's button, disabled, with the reason. */
export function NeedsCompany({ act }: { act: string }) {
  const id = useId()
  return (
    <div>
      <Button size="xs" disabled aria-describedby={id}>
        {act}
      </Button>{' '}
      <span id={id} className="muted">
        Select or create a company first.
      </span>
    </div>
  )
}
