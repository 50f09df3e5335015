import { afterEach, expect, it, vi } from 'vitest'
import { confirm, isActing, openQuestion } from './question.ts'

const now = () => {
  const shown = openQuestion()
  if (!shown) throw new Error('no question is open')
  return shown
}
const about = (title: string) => ({ title, consequence: '', button: 'Yes' })

afterEach(() => openQuestion()?.answer(null))

it('a question that replaced another stays open when the other’s act is done', async () => {
  let end = () => {}
  const first = confirm({ ...about('Save?'), act: () => new Promise<void>((done) => (end = done)) })
  const saving = now()
  const acted = saving.act(null).then(() => saving.answer(true))
  const second = confirm(about('Leave?'))
  end()
  await acted
  expect(now().title).toBe('Leave?')
  now().answer(true)
  expect([await first, await second]).toEqual([false, true])
})

it('an act answered with no does not start afterwards', async () => {
  const act = vi.fn(async () => {})
  const first = confirm({ ...about('Save?'), act })
  const saving = now()
  const second = confirm(about('Leave?'))
  await saving.act(null)
  expect(act).not.toHaveBeenCalled()
  now().answer(null)
  expect([await first, await second]).toEqual([false, false])
})

it('knows whether a question’s act is running', async () => {
  let end = (_: Error) => {}
  const first = confirm({ ...about('Save?'), act: () => new Promise((_, fail) => (end = fail)) })
  expect(isActing()).toBe(false)
  const acting = now().act(null)
  expect(isActing()).toBe(true)
  end(new Error('refused'))
  await expect(acting).rejects.toThrow('refused')
  expect(isActing()).toBe(false)
  now().answer(null)
  expect(await first).toBe(false)
})
