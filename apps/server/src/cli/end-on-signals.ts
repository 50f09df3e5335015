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
