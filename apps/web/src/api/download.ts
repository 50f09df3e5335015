/** Hands text to the browser as a file. The byte order mark makes spreadsheets read UTF-8 names. */
export function download(filename: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const marked = text.startsWith('\uFEFF') ? text : `\uFEFF${text}`
  const url = URL.createObjectURL(new Blob([marked], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // Some browsers start reading only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
