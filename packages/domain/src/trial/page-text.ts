/** The paragraphs of a text that was written with line breaks. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The items of a list that was written line by line, each without the dash or dot it may begin with. */
export const itemsOf = (text: string): string[] =>
  paragraphsOf(text)
    .map((line) => line.replace(/^[-–—•*](?:\s+|(?=\p{L})|$)/u, '').trim())
    .filter((line) => line !== '')
