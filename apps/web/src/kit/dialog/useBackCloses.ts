import { useBlocker } from '@tanstack/react-router'
import { createContext, use, useCallback, useLayoutEffect, useRef } from 'react'

/** Whether the dialog inside is in the address: Back closes it by itself. */
export const InAddress = createContext(false)

/** What is open over the page, the newest last. */
const shown: object[] = []

/** Back closes what is open over the page, as Escape does, and the page stays as it was. On a phone Back is how people close things. */
export function useBackCloses(opened: boolean, onClose: () => void): void {
  const inAddress = use(InAddress)
  const own = useRef({ close: onClose })
  useLayoutEffect(() => {
    own.current.close = onClose
  })
  useLayoutEffect(() => {
    if (!opened) return
    const one = own.current
    shown.push(one)
    return () => void shown.splice(shown.indexOf(one), 1)
  }, [opened])
  const shouldBlockFn = useCallback(({ action }: { action: string }) => {
    if (action !== 'BACK' || shown.at(-1) !== own.current) return false
    own.current.close()
    return true
  }, [])
  useBlocker({ shouldBlockFn, enableBeforeUnload: false, disabled: !opened || inAddress })
}
