import { expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'

test.setTimeout(90_000)

/** Records everything that is read out from now on. @returns what was, in order */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    new MutationObserver((changes) => {
      const live = new Set(
        changes.map(({ target }) =>
          (target instanceof Element ? target : target.parentElement)?.closest('[aria-live], [role=status]'),
        ),
      )
      for (const one of live) {
        const words = one?.textContent?.trim()
        if (words && one?.getAttribute('aria-live') !== 'off') heard.push(words)
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}

test('search results are read out once, and so are the rows of a page when it is turned', async ({ page }) => {
  await open(page, '/settings?tab=1', 'support')
  const next = page.getByRole('button', { name: 'Next page' })
  await expect(next).toBeEnabled()
  const heard = await listen(page)
  await page.getByRole('searchbox', { name: 'Find a user' }).fill('Connor Walsh')
  await expect(page.getByText('1 user', { exact: true })).toBeVisible()
  expect(await heard()).toEqual(['1 user'])
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(next).toBeEnabled()
  const turned = await listen(page)
  await next.click()
  await expect.poll(turned).toHaveLength(1)
  expect(await turned()).toEqual([expect.stringMatching(/^\d+–\d+ of \d+$/)])
})

test('rows with the same name are told apart for screen readers', async ({ page }) => {
  for (const username of ['guild', 'trials'])
    await page.request.post('/api/user/request-reset-password', { data: { username } })
  const letters = page.getByRole('button', { name: 'Details of Reset your Pillar password' })
  await open(page, '/outbox', 'support')
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(letters.nth(1)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  for (const letter of await letters.all()) await expect(letter).toHaveAccessibleName(/password, \S+@\S+$/)
})

test('the parts of a sum are read out once, including those too small for the key', async ({ page }) => {
  await open(page, '/financials')
  const patients = page.getByRole('region', { name: 'Patients', exact: true })
  await expect(patients.getByText('Female')).toBeVisible()
  const said = await patients.ariaSnapshot()
  for (const part of ['Female', 'Male', 'Not stated']) expect(said.split(` ${part} `)).toHaveLength(2)
})

test('what another uptake would cost is read out once', async ({ page }) => {
  await open(page, '/guildsixtydd', 'guild')
  await expect(page.getByRole('region', { name: 'Revenue lost', exact: true })).toContainText('$')
  const heard = await listen(page)
  await page.getByRole('textbox', { name: 'Uptake' }).fill('40')
  await page.keyboard.press('Enter')
  await expect.poll(heard).toEqual([expect.stringMatching(/^Revenue lost \$[\d,]+ at 40% uptake$/)])
})

test('a follow-up that is added, moved or removed is read out', async ({ page }) => {
  await open(page, '/settings?tab=7&list=pharmacy', 'support')
  await page.getByRole('button', { name: 'Create Pharmacy Sequence' }).click()
  const form = dialog(page, 'Create pharmacy sequence')
  const add = form.getByRole('button', { name: 'Add follow-up' })
  await expect(add).toBeVisible()
  const heard = await listen(page)
  await add.click()
  await add.click()
  await form.getByRole('button', { name: 'Move follow-up 2 up' }).click()
  await form.getByRole('button', { name: 'Remove follow-up 1' }).click()
  const said = (await heard()).filter((words) => /follow-up/i.test(words))
  expect(said).toEqual([
    'Follow-up 1 added, day 0',
    'Follow-up 2 added, day 7',
    'Moved up: it is follow-up 1 now, day 0',
    'Follow-up 1 removed, 1 left',
  ])
})

test('how many campaigns, templates and recommendations are left is read out with what they are', async ({ page }) => {
  await open(page, '/campaigns?dialog=campaigns')
  for (const [name, what] of [
    ['campaigns', 'campaign'],
    ['templates', 'template'],
    ['recommendations', 'recommended campaign'],
  ]) {
    await page.goto(`/campaigns?dialog=${name}`)
    const list = page.getByRole('dialog')
    await expect(list.getByRole('listitem').first()).toBeVisible()
    const heard = await listen(page)
    await list.getByRole('searchbox', { name: `Find a ${what}` }).fill('zzzz')
    await expect.poll(heard).toContain(`0 ${what}s`)
  }
})
