import { expect, type Page, test } from '@playwright/test'
import { makeNetwork } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

async function signInElsewhere(page: Page, name: string): Promise<void> {
  const answer = await page.request.post('/api/enterprise-login', { data: { name, password: PASSWORD } })
  expect(answer.status()).toBe(200)
}

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
  await signInElsewhere(page, other.username)
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  page.on('dialog', (question) => void question.accept())
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sent).toContain('/api/enterprise-init-info')
  expect(sent).not.toContain('/api/saved-view/create')
  expect(await one.sql('select 1 from saved_view where name = $1', [view])).toEqual([])
})

test('what the first person had typed is theirs again once they have signed in again', async ({ page }) => {
  const [one, other] = [await makeNetwork(), await makeNetwork()]
  await page.clock.install()
  await open(page, '/campaigns?dialog=new-template', one.username)
  const name = page.getByLabel('Template name')
  await name.fill('Half written')
  await page.clock.fastForward('06:00')
  await signInElsewhere(page, other.username)
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi, ready at {Pharmacy Name}')
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Save as inactive' }).click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Save as inactive' }).last().click()
  await reloaded
  await expect(name).toHaveValue('')

  await signInElsewhere(page, one.username)
  await page.reload()
  await expect(name).toHaveValue('Half written')
})
