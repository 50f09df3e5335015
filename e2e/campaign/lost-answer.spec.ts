import { expect, test } from '@playwright/test'
import { open, PASSWORD } from '../support/people.ts'

const CREATE = '**/api/template/create/enterprise'

test('a save whose answer was lost is not repeated, and nobody is told otherwise', { tag: '@main' }, async ({
  page,
}) => {
  test.slow()
  const name = `Lost answer ${test.info().workerIndex}-${Date.now() % 1_000_000}`
  await open(page, '/campaigns?dialog=new-template')
  await page.getByLabel('Template name').fill(name)
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi, ready at {Pharmacy Name}')
  const keys: (string | undefined)[] = []
  const statuses: number[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/template/create/enterprise')) keys.push(request.headers()['idempotency-key'])
  })
  await page.route(
    CREATE,
    async (route) => {
      statuses.push((await route.fetch()).status())
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  const sure = page.getByRole('button', { name: 'Activate template' })
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.click()
  await expect(page.getByText('it may or may not have been done. Try again: it is never done twice.')).toBeVisible()
  expect(statuses).toEqual([200])

  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.dblclick()
  await expect(page.getByRole('heading', { name, level: 2, exact: true })).toBeVisible()
  expect(keys).toEqual([expect.stringMatching(/^[\da-f]{32}$/), keys[0]])
  await expect(page.getByRole('list', { name: 'Templates' }).getByText(name)).toHaveCount(1)
})
