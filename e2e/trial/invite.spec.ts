import { expect, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'
import { confirm } from '../support/settings.ts'

test.setTimeout(120_000)

test('support sees whom an invitation reaches, sends exactly that, and cannot send it to nobody', async ({ page }) => {
  await open(page, '/settings?tab=5&find=heart+failure', 'support')
  const opened = async () => {
    await page.getByRole('button', { name: 'More about Heart failure at home' }).click()
    await page.getByRole('menuitem', { name: /Invite/ }).click()
    const form = dialog(page, 'Invite to Heart failure at home')
    await expect(form.getByText(/Held back|is held back|All eligible/)).toBeVisible()
    return form
  }
  const form = await opened()
  const said = (await form.getByText(/gets? a text and/).textContent()) ?? ''
  const [texts, emails] = [...said.matchAll(/(\d+) (?:gets? a text|an email)/g)].map(([, count]) => Number(count)) as [
    number,
    number,
  ]
  expect(texts + emails).toBeGreaterThan(0)
  await expectAccessible(page, 'whom an invitation reaches', OPENED)
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await expectAccessible(page, `whom an invitation reaches, dark at ${width}`, OPENED)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  const all = `Send ${texts + emails} invitation${texts + emails === 1 ? '' : 's'}`
  await form.getByRole('button', { name: `${all}…` }).click()
  await confirm(page, new RegExp(`^${all}, `))
  await expect(page.getByText(`to Heart failure at home will be sent`)).toBeVisible()

  // Once they are queued nobody is left, and the button says why it is disabled.
  await expect(async () => {
    const again = await opened()
    const send = again.getByRole('button', { name: 'Invite…' })
    const nobody = await send.isVisible()
    if (!nobody) await again.getByRole('button', { name: 'Cancel' }).click()
    expect(nobody).toBe(true)
  }).toPass({ timeout: 30_000 })
  const empty = dialog(page, 'Invite to Heart failure at home')
  await expect(empty.getByRole('button', { name: 'Invite…' })).toBeDisabled()
  await expect(empty.getByText('There is nobody to invite now.')).toBeVisible()
})
