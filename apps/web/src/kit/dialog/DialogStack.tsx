import { Modal, ModalStackContext } from '@mantine/core'
import { type MouseEvent, type ReactNode, use, useEffect, useId, useLayoutEffect, useState } from 'react'
import { openDialogs, useOpener } from './useOpener.ts'

/** Keeps dialogs over each other in order: the last one opened is shown and hears Escape, those beneath wait as they are. */
export function DialogStack({ children }: { children: ReactNode }) {
  return (
    <Modal.Stack>
      <Watch />
      {children}
    </Modal.Stack>
  )
}

/** An open list or menu inside a dialog takes Escape for itself: it is marked as heard before the dialog hears it. */
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

/** A press beside a dialog takes the focus from nothing in it. A list that hangs elsewhere in the page is no place beside it. */
export function keepFocus(event: MouseEvent): void {
  const { currentTarget, target } = event
  const beside = target instanceof Element && currentTarget.contains(target) && !target.closest('[role=dialog]')
  if (beside) event.preventDefault()
}

/** As long as the second click of a double click may take. */
const DOUBLE_CLICK_MS = 500

/**
 * A dialog's place in the stack, and whether a click beside it closes it: on top, and not at once, for the second click of a double click on
 * what opened it falls beside it. Focus goes back to what opened it, also when it is taken away open.
 */
export function useDialog(opened: boolean): { stackId: string; clickCloses: boolean } {
  const stackId = useId()
  const stack = use(ModalStackContext)
  const [settled, setSettled] = useState(false)
  useOpener(opened)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stack is another object at every change and does the same.
  useLayoutEffect(() => (opened ? () => stack?.removeModal(stackId) : undefined), [opened, stackId])
  useEffect(() => {
    if (!opened) return setSettled(false)
    const timer = setTimeout(() => setSettled(true), DOUBLE_CLICK_MS)
    return () => clearTimeout(timer)
  }, [opened])
  return { stackId, clickCloses: settled && (!stack || stack.currentId === stackId) }
}
