import { useEffect, useRef } from 'react'

const layers: { current: () => void }[] = []

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return
  // An open list or menu inside the dialog takes this Escape for itself; Mantine's own pieces say so with the same mark.
  if (event.target instanceof Element && event.target.closest('[data-mantine-stop-propagation="true"]')) return
  layers.at(-1)?.current()
}

/**
 * Escape for whatever lies on top. Mantine's dialogs each listen for themselves, so one Escape would close a dialog and
 * the one beneath it; here only the one opened last hears it.
 */
export function useEscape(opened: boolean, close: () => void): void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!opened) return
    if (layers.length === 0) window.addEventListener('keydown', onKey, { capture: true })
    layers.push(latest)
    return () => {
      layers.splice(layers.indexOf(latest), 1)
      if (layers.length === 0) window.removeEventListener('keydown', onKey, { capture: true })
    }
  }, [opened])
}
