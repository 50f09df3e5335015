import { Modal, ModalStackContext } from '@mantine/core'
import { type ReactNode, use, useEffect, useId, useLayoutEffect } from 'react'
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

/** A dialog's place in the stack, and whether it lies on top. Focus goes back to what opened it, also when it is taken away open. */
export function useDialog(opened: boolean): { stackId: string; top: boolean } {
  const stackId = useId()
  const stack = use(ModalStackContext)
  useOpener(opened)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stack is another object at every change and does the same.
  useLayoutEffect(() => (opened ? () => stack?.removeModal(stackId) : undefined), [opened, stackId])
  return { stackId, top: !stack || stack.currentId === stackId }
}
