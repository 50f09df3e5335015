import type { CSSOptions } from 'vite'

/** The size in pixels that the measures of the design assume for the browser's own font. */
const ASSUMED = 16
/** Hairlines, rings and outlines stay as thin as they are. */
const THIN = 2

const PIXELS = /(?<![\w.#-])(-?\d*\.?\d+)px\b/g

/**
 * A CSS value or condition with its pixels in a unit that follows the reader's font size.
 * @param unit rem; em in a media query, where both mean the browser's own size
 */
export const relative = (css: string, unit: 'rem' | 'em'): string =>
  css.replace(PIXELS, (whole, digits: string) =>
    Math.abs(Number(digits)) <= THIN ? whole : `${Number((Number(digits) / ASSUMED).toFixed(6))}${unit}`,
  )

type Plugins = NonNullable<Exclude<NonNullable<CSSOptions['postcss']>, string>['plugins']>

/**
 * Style sheets are written in the pixels of the design. Built, they are in rem, and their media queries in em: a browser
 * that is set to larger text shows the whole screen larger, as its zoom does, and never larger words in the same boxes.
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
