import { Button } from '@mantine/core'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { sheetsAgain } from '../../api/missing-files.ts'
import { Failed, Loading, useLate } from '../display/states.tsx'
import { Dialog } from './Dialog.tsx'

/** The props that close a dialog, by its own name for them. */
interface Closes {
  close?: () => void
  onClose?: () => void
}

/** Returns a component downloaded when it is first taken, or `Instead` if that fails; taking it again then repeats the download. */
function downloading<Props>(load: () => Promise<ComponentType<Props>>, Instead: ComponentType<Props>) {
  let part: ComponentType<Props> | null = null
  return () => {
    part ??= lazy(async () => {
      try {
        await sheetsAgain()
        return { default: await load() }
      } catch {
        part = null
        return { default: Instead }
      }
    }) as unknown as ComponentType<Props>
    return part
  }
}

/**
 * A dialog that is downloaded when it is first opened. If that takes long, it appears at once and says so; if it fails, it says that, and the page
 * behind stays unchanged. Opening it again repeats the download.
 */
export function fetched<Props extends Closes>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  const take = downloading(load, NotFetched as ComponentType<Props>)
  return (props) => <Fetched take={take} props={props} waiting={<Coming {...props} />} />
}

interface PartOptions<Props> {
  /** Rows of the loading state. */
  rows?: number
  /** What surrounds the loading state and the failure, such as the head of the page. */
  around?: (props: Props, state: ReactNode) => ReactNode
}

/**
 * A part of a screen that is downloaded when it is first shown. If that fails, because the connection broke or a newer version was installed since,
 * the part says so and the rest of the screen stays. Showing it again repeats the download.
 */
export function fetchedPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { rows = 6, around = (_, state) => state }: PartOptions<Props> = {},
): (props: Props) => ReactNode {
  const take = downloading<Props>(load, (props) => around(props, <NotShown />))
  return (props) => <Fetched take={take} props={props} waiting={around(props, <Loading rows={rows} />)} />
}

interface FetchedProps<Props> {
  take: () => ComponentType<Props>
  props: Props
  waiting: ReactNode
}

/** Takes the component once, outside the Suspense, which forgets the state of what it waits for. */
function Fetched<Props extends object>({ take, props, waiting }: FetchedProps<Props>) {
  const [{ Part }] = useState(() => ({ Part: take() }))
  return (
    <Suspense fallback={waiting}>
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

const TITLE = 'This part of the page did not load'
const MESSAGE = 'Nothing was changed. Check your connection, then load the page again.'

function LoadAgain() {
  return (
    <Button variant="filled" onClick={() => window.location.reload()}>
      Load the page again
    </Button>
  )
}

/** Replaces a dialog that could not be downloaded. The address stays, so reloading the page opens a dialog it names. */
function NotFetched({ close, onClose = close }: Closes) {
  return (
    <Dialog opened onClose={() => onClose?.()} title={TITLE} foot={<LoadAgain />}>
      {MESSAGE}
    </Dialog>
  )
}

/** Replaces a part of a screen that could not be downloaded. */
function NotShown() {
  return (
    <Failed title={TITLE} error={{ message: MESSAGE }}>
      <LoadAgain />
    </Failed>
  )
}
