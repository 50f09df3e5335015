const SHORTENED = /^\d(?:\.\d+)?E\+\d+$/i

/** Whether a spreadsheet has shortened a long number ('6.14916E+10'): many become the same text, so different ids would become one. */
export const isShortenedNumber = (text: string): boolean => SHORTENED.test(text)
