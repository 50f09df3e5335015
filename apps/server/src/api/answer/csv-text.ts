import { type Input, type Options, stringify } from 'csv-stringify/sync'

/**
 * Lines as CSV. A cell with a line end of any kind in it is quoted: by itself the writer quotes those with the file's own line ends alone, and
 * any other would begin a line there, with whatever formula follows it.
 */
export const csvText = (lines: Input, options: Options = {}): string =>
  stringify(lines, { ...options, quoted_match: /[\r\n]/ })
