/** The paragraphs of a text with line breaks. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The items of a list with one per line, without the leading dash or dot. */
export const itemsOf = (text: string): string[] =>
  paragraphsOf(text)
    .map((line) => line.replace(/^[-–—•*](?:\s+|(?=\p{L})|$)/u, '').trim())
    .filter((line) => line !== '')
