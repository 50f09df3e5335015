import { expect, it } from 'vitest'
import { dialogSearch } from './dialog-address.ts'

it('a dialog takes its own part of the address with it, and leaves the screen’s', () => {
  const open = dialogSearch({ period: '2026Q3' }, 'edit-campaign', { campaign: 'c1' })
  expect(open).toEqual({ period: '2026Q3', dialog: 'edit-campaign', campaign: 'c1' })
  expect(dialogSearch(open, 'templates', { search: 'flu' })).toEqual({
    ...{ period: '2026Q3', dialog: 'templates', search: 'flu' },
  })
  expect(dialogSearch(open, null)).toEqual({ period: '2026Q3' })
})
