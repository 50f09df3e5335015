import { Modal, ModalStackContext } from '@mantine/core'
import { type MouseEvent, type ReactNode, use, useEffect, useId, useLayoutEffect, useState } from 'react'
import { openDialogs, useOpener } from './focus/useOpener.ts'
import { useBackCloses } from './useBackCloses.ts'

/** Keeps stacked dialogs in order: the last one opened is shown and receives Escape; those beneath wait unchanged. */
export function DialogStack({ children }: { children: ReactNode }) {
  return (
    <Modal.Stack>
      <Watch />
      {children}
    </Modal.Stack>
  )
}

/** An open list or menu inside a dialog handles Escape first, which is marked as handled before it reaches the dialog. */
function Watch() {
  const stack = use(ModalStackContext)!
  const heard = stack.handledEscapeEvents
  openDialogs.count = stack.stack.length
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !(event.target instanceof Element)) return
      if (event.target.closest('[data-mantine-stop-propagation="true"]')) heard.add(event)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [heard])
  return null
}

/** Pressing beside a dialog leaves the focus inside it. A list rendered elsewhere in the page does not count as beside it. */
export function keepFocus(event: MouseEvent): void {
  const { currentTarget, target } = event
  const beside = target instanceof Element && currentTarget.contains(target) && !target.closest('[role=dialog]')
  if (beside) event.preventDefault()
}

/** The longest time between the clicks of a double click. */
const DOUBLE_CLICK_MS = 500

/**
 * A dialog's position in the stack, and whether a click beside it closes it: only on top, and not at once, because the second click of a double
 * click on the opener falls beside the dialog. Focus returns to the opener, even if the dialog is removed while open. Back calls `onClose`.
 */
export function useDialog(opened: boolean, onClose: () => void): { stackId: string; clickCloses: boolean } {
  const stackId = useId()
  const stack = use(ModalStackContext)
  const [settled, setSettled] = useState(false)
  useOpener(opened)
  useBackCloses(opened, onClose)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stack is a new object after every change, with the same behaviour.
  useLayoutEffect(() => (opened ? () => stack?.removeModal(stackId) : undefined), [opened, stackId])
  useEffect(() => {
    if (!opened) return setSettled(false)
    const timer = setTimeout(() => setSettled(true), DOUBLE_CLICK_MS)
    return () => clearTimeout(timer)
  }, [opened])
  return { stackId, clickCloses: settled && (!stack || stack.currentId === stackId) }
}
