import type { CSSOptions } from 'vite'

/** The browser font size, in pixels, that the design's measures assume. */
const ASSUMED = 16
/** Lines up to this thickness (hairlines, rings and outlines) stay in pixels. */
const THIN = 2

const PIXELS = /(?<![\w.#-])(-?\d*\.?\d+)px\b/g

/**
 * Converts the pixels in a CSS value or condition to a unit that follows the reader's font size.
 * @param unit rem; em in a media query, where both mean the browser's own size
 */
export const relative = (css: string, unit: 'rem' | 'em'): string =>
  css.replace(PIXELS, (whole, digits: string) =>
    Math.abs(Number(digits)) <= THIN ? whole : `${Number((Number(digits) / ASSUMED).toFixed(6))}${unit}`,
  )

type Plugins = NonNullable<Exclude<NonNullable<CSSOptions['postcss']>, string>['plugins']>

/**
 * Style sheets are written in the design's pixels. The build converts them to rem, and their media queries to em: a browser set to larger text
 * then enlarges the whole screen, as zooming does, instead of only the words inside the same boxes.
 */
export const relativeSizes: Plugins[number] = {
  postcssPlugin: 'relative-sizes',
  Once(root) {
    root.walkDecls((one) => {
      if (one.value.includes('px')) one.value = relative(one.value, 'rem')
    })
    root.walkAtRules(/^(?:media|container)$/, (rule) => {
      rule.params = relative(rule.params, rule.name === 'media' ? 'em' : 'rem')
    })
  },
}
