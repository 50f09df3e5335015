import { expect, test } from 'vitest'
import { rowAddress } from './row-link.ts'

test('the link to a row keeps its list and drops page, sort and filters', () => {
  const page = 'http://localhost/en_gb/settings?tab=2&list=company&page=3&sort=type&find=flu&status=active'
  expect(rowAddress(page, '0198-a')).toBe('http://localhost/en_gb/settings?tab=2&list=company&find=0198-a')
})
