import { expect, type Locator, type Page, test } from '@playwright/test'
import { codeAt } from '../../apps/server/test/authenticator.ts'
import { dialog } from '../support/dialog.ts'
import { press, tabTo } from '../support/focus.ts'
import { addPerson } from '../support/install.ts'
import { loseCookies, open, PASSWORD } from '../support/people.ts'
import { unique } from '../support/settings.ts'

test.setTimeout(180_000)

const button = (on: Page | Locator, name: string | RegExp) => on.getByRole('button', { name, exact: true })

/** Goes to a field by Tab and types; in a look-up field, the first result is picked. */
async function type(page: Page, field: Locator, text: string, pick = false): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
  if (!pick) return
  await expect(page.getByRole('option', { name: text }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

test('by keyboard alone: an authenticator app is set up, its codes are kept, and it signs in', async ({ page }) => {
  const name = `keys-${Date.now()}`
  await addPerson(`Company of ${name}`, 'AU', name, false, ['sr_login'])
  const signIn = async () => {
    await page.goto('/login')
    await type(page, page.getByLabel('Username or email'), name)
    await type(page, page.getByLabel('Password', { exact: true }), PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/second-factor')
  }
  await signIn()
  await press(page, button(page, 'Set up'))
  const secret = (await page.locator('code').textContent())!.replaceAll(' ', '')
  await type(page, page.getByLabel('Code', { exact: true }), codeAt(secret, Date.now() / 1000))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Recovery codes' })).toBeFocused()
  await press(page, page.getByLabel('I have saved them'), 'Space')
  await press(page, button(page, 'Continue'))
  await press(page, button(page, 'Continue to the portal'))
  await expect(page).toHaveURL(/settings/)

  await loseCookies(page)
  await signIn()
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  await page.keyboard.type(codeAt(secret, Date.now() / 1000 + 30))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/settings/)
})

test('by keyboard alone: a sequence is built, its follow-ups put in order, and saved', async ({ page }) => {
  const title = unique('Built by keys')
  await open(page, '/settings?tab=7', 'support')
  const opener = button(page, 'Create Recommended Sequence')
  await press(page, opener)
  const form = dialog(page, 'Create recommended sequence')
  await expect(form.getByLabel('Title')).toBeFocused()
  await page.keyboard.type(title)
  await type(page, form.getByLabel('Sequence event'), 'First script of a medicine', true)
  for (const [at, template] of [
    [1, 'Repeat still waiting'],
    [2, 'Repeat due soon'],
  ] as const) {
    await press(page, button(form, 'Add follow-up'))
    await tabTo(page, form.getByLabel(`Follow-up ${at}: template`), 'Shift+Tab')
    await page.keyboard.type(template)
    // Only what matches is left.
    await expect(page.getByRole('option')).toHaveText([template])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(form.getByLabel(`Follow-up ${at}: template`)).toHaveValue(template)
  }
  await press(page, button(form, 'Move follow-up 2 up'))
  await expect(form.getByLabel('Follow-up 1: template')).toHaveValue('Repeat due soon')
  // The messages change places, and the days stay in order.
  await expect(form.getByLabel('Follow-up 1: days after the event')).toHaveValue('Day 0')
  await expect(form.getByLabel('Follow-up 2: days after the event')).toHaveValue('Day 7')
  // The pressed button is now disabled: the keyboard continues beside it.
  await expect(form.locator(':focus')).toHaveAccessibleName(/follow-up/i)
  await press(page, button(form, 'Create'))
  await expect(page.getByLabel('Password', { exact: true }).last()).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(form).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('by keyboard alone: an S8 issue is found, its register opened, filtered and checked, and the contact read', async ({
  page,
}) => {
  await open(page, '/s8management', 'controlled')
  await press(page, page.getByRole('link', { name: /^Needs attention/ }))
  const balance = page.getByRole('region', { name: 'Incorrect balance' }).getByRole('link')
  await press(page, balance)
  await expect(page).toHaveURL(/kind=balance/)
  const queue = page.getByRole('table', { name: 'Items' })
  const pharmacy = queue
    .getByRole('row', { name: /Incorrect balance/ })
    .first()
    .getByRole('link')
    .first()
  const name = (await pharmacy.textContent())!
  await press(page, pharmacy)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Entries' })).toBeVisible()
  const contact = button(page, 'Contact')
  await press(page, contact)
  await expect(page.getByRole('dialog')).toContainText('Pharmacy Phone')
  await page.keyboard.press('Escape')
  await expect(contact).toBeFocused()
  await tabTo(page, page.getByRole('radio', { name: 'Drug Register' }))
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('radio', { name: 'Stock Register' })).toBeFocused()
  await expect(page.getByRole('table', { name: 'Products' })).toBeVisible()
})
