import { useState } from 'react'
import { download } from '../../api/download.ts'
import { toastFailure } from './toast.tsx'

/** Asks for a file and hands it to the browser; a failure says why, with Try again. */
export function useFile(ask: () => Promise<{ filename: string; text: string }>): { busy: boolean; save: () => void } {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const file = await ask()
      download(file.filename, file.text)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      toastFailure(`The file was not made. ${why}`, { action: { label: 'Try again', run: () => void save() } })
    } finally {
      setBusy(false)
    }
  }
  return { busy, save: () => void save() }
}
