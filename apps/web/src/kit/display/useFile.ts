import { useState } from 'react'
import { download, downloadFile, downloadPdf } from '../../api/download.ts'
import { toast, toastFailure } from './toast.tsx'

/** A file as a call returns it: text, a PDF in base64, or one that is passed on unchanged. */
type Made = { filename: string } & ({ text: string } | { base64: string } | { file: Blob })

/** Requests a file and saves it in the browser; a failure gives the reason, with Try again. */
export function useFile(ask: () => Promise<Made>): { busy: boolean; save: () => void } {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const made = await ask()
      hand(made)
      toast(`${made.filename} downloaded`)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      toastFailure(`The file was not made. ${why}`, { action: { label: 'Try again', run: () => void save() } })
    } finally {
      setBusy(false)
    }
  }
  return { busy, save: () => void save() }
}

function hand(made: Made): void {
  if ('text' in made) download(made.filename, made.text)
  else if ('base64' in made) downloadPdf(made.filename, made.base64)
  else downloadFile(made.filename, made.file)
}
