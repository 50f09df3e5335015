import { useBlocker } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { isLeaving } from '../../../session/session.ts'
import { confirm, isActing } from '../question.ts'

interface Unsaved {
  /** Leaves, but asks first if something would be lost. */
  leave: (go: () => void) => void
  /** Leaves without asking, because it has been saved. */
  done: (go: () => void) => void
}

/**
 * Warns before unsaved work is lost: by Cancel or Escape (`leave`), by Back or a link, and by closing the tab. `what`
 * names it: 'this template'. After an attempt without an answer, nobody is told that nothing was saved.
 */
export function useUnsaved(dirty: boolean, what: string, unanswered: () => boolean = () => false): Unsaved {
  const free = useRef(false)
  const asked = useRef(unanswered)
  asked.current = unanswered
  const ask = useCallback(
    () =>
      confirm({
        title: 'Leave without saving?',
        consequence: asked.current()
          ? `Saving ${what} got no answer. If it was not saved, what you changed will be lost.`
          : `What you changed in ${what} has not been saved and will be lost.`,
        button: 'Leave without saving',
        danger: true,
      }),
    [what],
  )
  useBlocker({
    // While saving there is nothing to ask: a person who pressed Back stays until the result is known.
    shouldBlockFn: async () => !free.current && (isActing() || !(await ask())),
    // An expired session must leave nothing on screen, but the browser's question would keep the page.
    enableBeforeUnload: () => !free.current && !isLeaving(),
    disabled: !dirty,
  })
  const done = useCallback((go: () => void) => {
    free.current = true
    go()
  }, [])
  const leave = (go: () => void) => {
    if (!dirty) go()
    else void ask().then((sure) => sure && done(go))
  }
  return { leave, done }
}
