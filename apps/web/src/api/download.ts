/** Saves text as a file in the browser. The byte order mark makes spreadsheets read UTF-8 names. */
export function download(filename: string, text: string, type = 'text/csv;charset=utf-8'): void {
  save(filename, new Blob([text.startsWith('\uFEFF') ? text : `\uFEFF${text}`], { type }))
}

/** Saves a base64 PDF as a file in the browser. */
export function downloadPdf(filename: string, base64: string): void {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  save(filename, new Blob([bytes], { type: 'application/pdf' }))
}

/** Saves a picture as a file in the browser. */
export async function downloadPng(filename: string, canvas: HTMLCanvasElement): Promise<void> {
  const file = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!file) throw new Error('The browser could not make the picture.')
  save(filename, file)
}

/** Saves a file unchanged in the browser. */
export function downloadFile(filename: string, file: Blob): void {
  save(filename, file)
}

function save(filename: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // Some browsers start reading only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
