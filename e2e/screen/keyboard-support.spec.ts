import { expect, type Locator, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { press, tabTo } from '../support/focus.ts'
import { open, PASSWORD } from '../support/people.ts'
import { unique } from '../support/settings.ts'

// The test creates four things, key by key, which takes over a minute on a busy machine.
test.setTimeout(240_000)

/** Goes to a field by Tab and types. */
async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

/** Picks the first result for the typed words from a list. */
async function choose(page: Page, field: Locator, words: string): Promise<void> {
  await type(page, field, words)
  await expect(page.getByRole('option').filter({ visible: true }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

/** Types the password into the question that has opened and has the focus. */
async function confirm(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').getByLabel('Password', { exact: true }).last()).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
}

test('by keyboard alone: support creates a company, a pharmacy, a user and a template', async ({ page }) => {
  const name = unique('Grevillea Chemists')
  const login = `gail${Date.now()}`
  await open(page, '/settings', 'support')
  const opener = page.getByRole('button', { name: 'Create Company' })
  await press(page, opener)
  const company = dialog(page, 'Create company')
  await expect(company.getByLabel('Company name')).toBeFocused()
  // Sent empty: the first wrong field has the focus, and its problem is read with it.
  await page.keyboard.press('Enter')
  await expect(company.getByLabel('Company name')).toBeFocused()
  await expect(company.getByLabel('Company name')).toHaveAccessibleDescription('Enter a company name')
  await page.keyboard.type(name)
  await type(page, company.getByLabel('Username'), login)
  await type(page, company.getByLabel('Email'), `${login}@mail.example`)
  await type(page, company.getByLabel('First name'), 'Gail')
  await type(page, company.getByLabel('Last name'), 'Owner')
  await page.keyboard.press('Enter')
  await confirm(page)
  await expect(company).toHaveCount(0)
  await expect(opener).toBeFocused()

  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await press(page, page.getByRole('button', { name: new RegExp(`${name}`) }).first())
  const add = page.getByRole('button', { name: 'Create Pharmacy' })
  await press(page, add)
  const pharmacy = dialog(page, 'Create pharmacy')
  await expect(pharmacy.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Grevillea North')
  await choose(page, pharmacy.getByLabel('Find the suburb'), '3350')
  await expect(pharmacy.getByLabel('Postcode')).toHaveValue('3350')
  await press(page, pharmacy.getByRole('button', { name: 'Create' }))
  await confirm(page)
  await expect(pharmacy).toHaveCount(0)
  await expect(add).toBeFocused()

  const person = page.getByRole('button', { name: 'Add User' })
  await press(page, person)
  const user = dialog(page, 'Create user')
  await expect(user.getByLabel('Username', { exact: true })).toBeFocused()
  await page.keyboard.type(`${login}-2`)
  await type(page, user.getByLabel('Email', { exact: true }), `${login}-2@mail.example`)
  await type(page, user.getByLabel('First name'), 'Glen')
  await type(page, user.getByLabel('Last name'), 'Second')
  await page.keyboard.press('Enter')
  await confirm(page)
  await expect(user).toHaveCount(0)
  await expect(person).toBeFocused()

  const templates = page.getByRole('link', { name: 'Templates', exact: true })
  await tabTo(page, templates, 'Shift+Tab')
  await page.keyboard.press('Enter')
  const write = page.getByRole('button', { name: 'Create Recommended Template' })
  // Another tab is another page: it starts at its own content.
  await press(page, write)
  const template = dialog(page, 'Create recommended template')
  await expect(template.getByLabel('Template name')).toBeFocused()
  await page.keyboard.type(name)
  await tabTo(page, template.getByRole('button', { name: 'Merge field' }))
  await page.keyboard.press('Tab')
  await expect(template.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.type('Your script is ready. {Pharm')
  await expect(page.getByRole('option').filter({ visible: true }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await press(page, template.getByRole('button', { name: 'Create', exact: true }))
  await confirm(page)
  await expect(template).toHaveCount(0)
  await expect(write).toBeFocused()
  // If there are many, it is on a later page.
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await expect(page.getByRole('rowheader', { name })).toBeVisible()
})
