import { contract } from '@pillar/contract'
import { expect, test } from 'vitest'
import { dialogOpened, readAgain } from './unsure-reads.ts'

const { activate, remove } = contract.campaign

test('after a write without an answer, screens read again: at once, or when the last dialog is closed', () => {
  const reads: string[] = []
  const unsure = (call: typeof activate | typeof remove, what: string) => readAgain(call, () => reads.push(what))
  unsure(activate, 'button')
  expect(reads).toEqual(['button'])
  const form = dialogOpened()
  const question = dialogOpened()
  unsure(activate, 'first attempt')
  unsure(activate, 'second attempt')
  unsure(remove, 'another call')
  expect(reads).toEqual(['button'])
  question()
  expect(reads).toEqual(['button'])
  form()
  expect(reads).toEqual(['button', 'second attempt', 'another call'])
})
