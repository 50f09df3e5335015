import { Button } from '@mantine/core'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { Loading, useLate } from '../display/states.tsx'
import { Dialog } from './Dialog.tsx'

/** The props that close a dialog, by its own name for them. */
interface Closes {
  close?: () => void
  onClose?: () => void
}

/**
 * A dialog that is downloaded when it is first opened. If that takes long, it appears at once and says so; if it fails, it says that, and the page
 * behind stays unchanged. Opening it again repeats the download.
 */
export function fetched<Props extends Closes>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  let part: ComponentType<Props> | null = null
  const take = () => {
    part ??= lazy(async () => {
      try {
        return { default: await load() }
      } catch {
        part = null
        return { default: NotFetched as ComponentType<Props> }
      }
    }) as unknown as ComponentType<Props>
    return part
  }
  return (props) => <Fetched take={take} props={props} />
}

function Fetched<Props extends Closes>({ take, props }: { take: () => ComponentType<Props>; props: Props }) {
  const [{ Part }] = useState(() => ({ Part: take() }))
  return (
    <Suspense fallback={<Coming {...props} />}>
      <Part {...props} />
    </Suspense>
  )
}

function Coming({ close, onClose = close }: Closes) {
  if (!useLate()) return null
  return (
    <Dialog opened size="M" title="Loading…" onClose={() => onClose?.()}>
      <Loading />
    </Dialog>
  )
}

/** Replaces a dialog that could not be downloaded. The address stays, so reloading the page opens a dialog it names. */
function NotFetched({ close, onClose = close }: Closes) {
  return (
    <Dialog
      opened
      onClose={() => onClose?.()}
      title="This part of the page did not load"
      foot={
        <Button variant="filled" onClick={() => window.location.reload()}>
          Load the page again
        </Button>
      }
    >
      Nothing was changed. Check your connection, then load the page again.
    </Dialog>
  )
}
