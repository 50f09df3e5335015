import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Change } from './Change.tsx'

const drawn = (value: number | null, points = false) => {
  const html = renderToStaticMarkup(createElement(Change, { country: 'AU', value, points, goodWhen: 'up' }))
  return {
    words: html.replaceAll(/<[^>]*>/g, ''),
    coloured: /_good|_bad/.test(html),
    arrow: /lucide-(arrow-up|arrow-down|minus)/.exec(html)?.[1] ?? null,
  }
}

it('a change has an arrow, a colour and a word for its direction', () => {
  expect(drawn(0.0418)).toEqual({ words: 'up 4.18%', coloured: true, arrow: 'arrow-up' })
  expect(drawn(-0.012, true)).toEqual({ words: 'down 1.20 points', coloured: true, arrow: 'arrow-down' })
})

it('an unchanged figure, or one that changed by less than is shown, goes neither up nor down', () => {
  for (const value of [0, -0, 0.00004, -0.00004]) {
    expect(drawn(value, true)).toEqual({ words: 'unchanged 0.00 points', coloured: false, arrow: 'minus' })
    expect(drawn(value)).toEqual({ words: 'unchanged 0.00%', coloured: false, arrow: 'minus' })
  }
})

it('says in words why there is no change', () => {
  expect(drawn(null)).toEqual({ words: '– Nothing to compare with', coloured: false, arrow: null })
})
