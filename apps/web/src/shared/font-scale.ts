/** The size of text, in pixels, that the measures of the design assume. */
const ASSUMED = 16

/** A measure of the design, in pixels, as a CSS length that follows the reader's font size. */
export const rem = (pixels: number): string => `${pixels / ASSUMED}rem`

/** How many times the size that the design assumes the reader's own is: for what is measured or drawn in pixels. */
export const fontScale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / ASSUMED
