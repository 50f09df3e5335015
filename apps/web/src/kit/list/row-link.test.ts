import { expect, test } from 'vitest'
import { placeAddress, rowAddress } from './row-link.ts'

test('the link to a row keeps its list and drops page, sort and filters', () => {
  const page = 'http://localhost/en_gb/settings?tab=2&list=company&page=3&sort=type&find=flu&status=active'
  expect(rowAddress(page, '0198-a')).toBe('http://localhost/en_gb/settings?tab=2&list=company&find=0198-a')
})

test('the link to something inside a row names the row and what is open in it', () => {
  const page = 'http://localhost/settings?tab=0&find=saltbush&pharmacy=old&upload=old'
  expect(placeAddress(page, '0198-a', { pharmacy: '0198-b' })).toBe(
    'http://localhost/settings?tab=0&find=0198-a&pharmacy=0198-b',
  )
})
