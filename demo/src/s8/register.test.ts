import { expect, test } from 'vitest'
import { demoNetwork } from '../network.ts'
import { rowsOf } from '../testing.ts'
import { CONTRADICTED, registerFiles } from './register.ts'

test('one register has an entry sent twice, on whichever day of the week the network begins', () => {
  const found = Array.from({ length: 7 }, (_, at) => {
    const network = demoNetwork('tiny', 1, `2026-11-${23 + at}`)
    const pharmacy = network.pharmacies[CONTRADICTED]!
    const files = registerFiles(network, pharmacy, { from: network.from, to: network.to })
    const numbers = rowsOf(files.s8_transactions).map(({ transaction_id }) => transaction_id)
    return numbers.length - new Set(numbers).size
  })
  expect(found).toEqual([1, 1, 1, 1, 1, 1, 1])
})
