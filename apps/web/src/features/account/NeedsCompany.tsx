import { Button } from '@mantine/core'
import { useId } from 'react'

/** In place of a step's content before there is a company: its button, disabled, with the reason. */
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
