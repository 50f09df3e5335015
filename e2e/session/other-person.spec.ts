import { expect, test } from '@playwright/test'
import { makeNetwork } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

test('what one person has begun is never saved as another who has signed in meanwhile in a second tab', async ({
  page,
}) => {
  const [one, other] = [await makeNetwork(), await makeNetwork()]
  const view = `View of ${one.username}`
  await page.clock.install()
  await open(page, '/financials', one.username)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(view)
  // The next call needs a new token, and the cookie is now another person's.
  await page.clock.fastForward('06:00')
  const signedIn = await page.request.post('/api/enterprise-login', {
    data: { name: other.username, password: PASSWORD },
  })
  expect(signedIn.status()).toBe(200)
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  page.on('dialog', (question) => void question.accept())
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sent).toContain('/api/enterprise-init-info')
  expect(sent).not.toContain('/api/saved-view/create')
  expect(await one.sql('select 1 from saved_view where name = $1', [view])).toEqual([])
})
