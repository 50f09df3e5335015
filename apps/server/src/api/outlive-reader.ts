/**
 * Keeps the process alive when the reader of its output goes away (a pipe into head, a full disk, a closed terminal): the output is lost,
 * but the work is finished. A stream error without a listener would end the process.
 */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
