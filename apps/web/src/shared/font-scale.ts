/** The text size, in pixels, that the design's measures assume. */
const ASSUMED = 16

/** One of the design's measures, in pixels, as a CSS length that follows the reader's font size. */
export const rem = (pixels: number): string => `${pixels / ASSUMED}rem`

/** The reader's font size relative to the design's, for anything measured or drawn in pixels. */
export const fontScale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / ASSUMED
