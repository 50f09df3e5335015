import { ActionIcon } from '@mantine/core'
import { Copy } from 'lucide-react'
import { copyText } from '../../shared/copy-text.ts'
import { Icon } from './Icon.tsx'
import { toast, toastFailure } from './toast.tsx'

/** Copies a text. `what` names it: 'Key', 'UUID'. */
export function CopyButton({ what, text }: { what: string; text: string }) {
  const copy = async () => {
    try {
      await copyText(text)
      toast(`${what} copied`)
    } catch {
      toastFailure(`${what} could not be copied: the browser does not allow it here. Select the text and copy it.`)
    }
  }
  return (
    <ActionIcon aria-label={`Copy ${what}`} title={`Copy ${what}`} onClick={() => void copy()}>
      <Icon of={Copy} />
    </ActionIcon>
  )
}
