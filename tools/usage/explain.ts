/** With --help a command only prints how to call it and what it does. */
export function explain(usage: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}
