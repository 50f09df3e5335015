import { useEffect, useState } from 'react'

/** The white margin in modules that scanners need around the code. */
const QUIET = 4

/** A text as a QR code, dark on white in every theme, because many apps cannot read an inverted one. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [drawn, setDrawn] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    let here = true
    void import('qrcode-generator').then(({ default: qrcode }) => {
      const code = qrcode(0, 'M')
      code.addData(text)
      code.make()
      const count = code.getModuleCount()
      const rows = Array.from({ length: count }, (_, row) => row)
      const path = rows
        .flatMap((row) =>
          rows.filter((at) => code.isDark(row, at)).map((at) => `M${at + QUIET} ${row + QUIET}h1v1h-1z`),
        )
        .join('')
      if (here) setDrawn({ size: count + 2 * QUIET, path })
    })
    return () => {
      here = false
    }
  }, [text])
  return (
    <div className="qr">
      {drawn ? (
        <svg viewBox={`0 0 ${drawn.size} ${drawn.size}`} role="img" aria-label={label} shapeRendering="crispEdges">
          <path d={drawn.path} />
        </svg>
      ) : null}
    </div>
  )
}
