/**
 * A reader of what this process prints may go (a pipe into head, a full disk, a terminal that was closed): what it prints then is lost, and what
 * it does is done to the end. An error of a stream that nobody hears would end the process.
 */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
