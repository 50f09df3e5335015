import { expect, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'
import { confirm } from '../support/settings.ts'

test.setTimeout(120_000)

test('support sees whom an invitation reaches, sends exactly that, and cannot send it to nobody', {
  tag: '@main',
}, async ({ page }) => {
  await open(page, '/settings?tab=5&find=heart+failure', 'support')
  const opened = async () => {
    await page.getByRole('button', { name: 'More about Heart failure at home' }).click()
    await page.getByRole('menuitem', { name: /Invite/ }).click()
    const form = dialog(page, 'Invite to Heart failure at home')
    await expect(form.getByText(/Held back|is held back|All eligible/)).toBeVisible()
    return form
  }
  const form = await opened()
  const said = (await form.getByText(/patients? gets? (a text|an email)/).textContent()) ?? ''
  const invited = [...said.matchAll(/(\d+) (?:patients? gets? )?(?:a text|an email)/g)]
  const sum = invited.reduce((total, [, count]) => total + Number(count), 0)
  expect(sum).toBeGreaterThan(0)
  await expectAccessible(page, 'whom an invitation reaches', OPENED)
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await expectAccessible(page, `whom an invitation reaches, dark at ${width}`, OPENED)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  const all = `Send ${sum} invitation${sum === 1 ? '' : 's'}`
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

test('a long count shows that it is running, then the numbers and when it was made', async ({ page }) => {
  let asked = 0
  await page.route('**/invite-forecast', async (route) => {
    const response = await route.fetch()
    const counts = await response.json()
    asked += 1
    const known = { ...counts, not_ready: '', sms: 120_000, email: 30, counted_at: '2026-11-20T03:05:00.000Z' }
    await route.fulfill({ response, json: asked < 3 ? { ...counts, counting: true } : known })
  })
  await open(page, '/settings?tab=5&find=heart+failure', 'support')
  await page.getByRole('button', { name: 'More about Heart failure at home' }).click()
  await page.getByRole('menuitem', { name: /Invite/ }).click()
  const form = dialog(page, 'Invite to Heart failure at home')
  await expect(form.getByText('Counting many patients. This may take a few minutes…')).toBeVisible()
  await expect(form.getByText(/^Counted at \d/)).toBeVisible({ timeout: 20_000 })
  await expect(form.getByRole('button', { name: 'Send 120,030 invitations…' })).toBeEnabled()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await expectAccessible(page, `a long count, ${colorScheme} at ${width}`, OPENED)
    }
  }
})
