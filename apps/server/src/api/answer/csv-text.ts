import { type Input, type Options, stringify } from 'csv-stringify/sync'

/**
 * Lines as CSV. Quotes every cell that contains any kind of line break. By itself the writer quotes only the file's own line ends; any
 * other would start a new line in the reader's program, with whatever formula follows it.
 */
export const csvText = (lines: Input, options: Options = {}): string =>
  stringify(lines, { ...options, quoted_match: /[\r\n]/ })
