/**
 * Parses an array of whole numbers in PostgreSQL's text form: '{1,-2,30}'. Reading a column of a hundred thousand rows this way takes a
 * tenth of the time of reading the rows one by one.
 * @param list null for an empty array
 * @param count how many numbers it holds
 */
export function integersOf(list: string | null, count: number): Float64Array {
  const numbers = new Float64Array(count)
  if (list === null) return numbers
  let at = 0
  let value = 0
  let negative = false
  for (let position = 1; position < list.length; position++) {
    const code = list.charCodeAt(position)
    if (code >= 48) {
      // The only other character is the closing brace.
      if (code <= 57) {
        value = value * 10 + (code - 48)
        continue
      }
    } else if (code === 45) {
      negative = true
      continue
    }
    numbers[at++] = negative ? -value : value
    value = 0
    negative = false
  }
  return numbers
}
