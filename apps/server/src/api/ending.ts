/**
 * Keeps the process alive when the reader of its output goes away (a pipe into head, a full disk, a closed terminal): the output is lost,
 * but the work is finished. A stream error without a listener would end the process.
 */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** The signals that end a command, with their numbers: a closed terminal, Ctrl+C, and a stop. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** Ends the process at a signal with one sentence, and with the code that shells give it. @param interrupted what it leaves, and what to do then */
export function endOnSignals(interrupted: string): void {
  for (const [signal, number] of Object.entries(SIGNALS))
    process.once(signal, () => {
      process.stderr.write(`Interrupted. ${interrupted}\n`)
      process.exit(128 + number)
    })
}
