import { expect, type Page, test } from '@playwright/test'
import { makeNetwork } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const list = (page: Page) => page.getByRole('list', { name: 'Templates' })

async function reenter(page: Page, button: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: button, exact: true }).click()
}

test('a template is written by keyboard, activated, deactivated, copied and deleted', { tag: '@main' }, async ({
  page,
}) => {
  // The test enters the password five times, and each check takes as long as at sign-in.
  test.slow()
  const name = `Repeat ready ${test.info().workerIndex}-${Date.now() % 1_000_000}`
  await open(page, '/campaigns?dialog=new-template')
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'Please enter a template name, enter a message body, and include {Pharmacy Name} in the message body.',
  )
  await expect(page.getByLabel('Template name')).toBeFocused()
  await page.getByLabel('Template name').fill(name)

  await message(page).click()
  await page.keyboard.type('Hi {first')
  await expect(page.getByRole('option', { name: 'First Name' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type(', ready at {Pharmacy Name}{Last Name}')
  await expect(page.locator('.cm-chip')).toHaveCount(3)
  await page.keyboard.press('Backspace')
  await expect(page.locator('.cm-chip')).toHaveCount(2)
  await page.keyboard.type(' ł')
  await expect(page.getByText('“ł” reduces each part from 160 to 70 characters.')).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(page.getByText('1 part, 12c a text')).toBeVisible()

  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await page.getByRole('button', { name: 'Activate template' }).click()
  await expect(page.getByText('Username and password are required.')).toBeVisible()
  await reenter(page, 'Activate template')
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible()

  await page.getByRole('button', { name: 'Deactivate…' }).click()
  await expect(page.getByText('No active campaign or sequence uses it.')).toBeVisible()
  await reenter(page, 'Deactivate template')
  await expect(page.getByRole('button', { name: 'Activate…' })).toBeVisible()

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('radio', { name: 'Save as a copy' }).click()
  await page.getByLabel('Template name').last().fill('')
  await page.getByRole('button', { name: 'Save as a copy' }).click()
  await expect(page.getByText('Template name is required.')).toBeVisible()
  await page.getByLabel('Template name').last().fill(`${name} copy`)
  await reenter(page, 'Save as a copy')
  await expect(list(page).getByRole('button', { name: `${name} copy` })).toHaveAttribute('aria-current', 'true')

  for (const each of [`${name} copy`, name]) {
    await list(page)
      .getByRole('button', { name: new RegExp(`^${each} ?(Active|Inactive)`) })
      .click()
    const erase = page.getByRole('button', { name: 'Delete…' })
    await erase.click()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(erase).toBeFocused()
    await erase.click()
    await reenter(page, 'Delete template')
    await expect(list(page).getByRole('button', { name: new RegExp(`^${each} ?(Active|Inactive)`) })).toHaveCount(0)
  }
  await expect(list(page).getByRole('button').first()).toHaveAttribute('aria-current', 'true')
})

test('leaving unsaved work asks first, and one Escape closes one dialog', async ({ page }) => {
  await open(page, '/campaigns?dialog=templates')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await message(page).click()
  await page.keyboard.type('Hi {')
  await expect(page.getByRole('listbox', { name: 'Merge fields' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox', { name: 'Merge fields' })).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'New Template' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeHidden()
  await expect(message(page)).toContainText('Hi {')
  await page.goBack()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page.getByRole('dialog', { name: 'New Template' })).toBeHidden()
})

test('the preview is a real patient’s message, and a test goes to oneself', async ({ page }) => {
  await open(page, '/campaigns?dialog=new-template')
  await page.getByRole('switch', { name: 'Email' }).click()
  await page.getByRole('textbox', { name: 'Subject' }).click()
  await page.keyboard.type('Your repeat, {First Name}')
  await message(page).click()
  await page.keyboard.type('Hi {First Name}, from {Pharmacy Name}')
  await page.getByRole('tab', { name: 'Preview and test' }).click()
  const text = page.getByRole('figure', { name: 'As a text' })
  // The sender of the patient's pharmacy decides which of the two.
  await expect(text).toContainText(/^Hi \S+, from .+\s*(Reply STOP to opt out|Opt out at http)/)
  const mail = page.frameLocator('iframe[title="The email"]')
  await expect(mail.getByText(/^Hi \S+, from /)).toBeVisible()
  await expect(page.getByRole('figure', { name: 'As an email' })).toContainText(/SubjectYour repeat, [^\s{}]+/)
  await page.getByRole('radio', { name: 'Email' }).click()
  await page.getByRole('button', { name: 'Send a test email to my address' }).click()
  await expect(page.getByText(/was prepared but not sent/)).toBeVisible()
})

test('what is typed before the editor has loaded goes on in it, with the fields offered for a brace', async ({
  page,
}) => {
  const loaded = Promise.withResolvers<void>()
  await page.route(/\/assets\/message-codemirror-/, async (route) => {
    await loaded.promise
    await route.continue()
  })
  await open(page, '/campaigns?dialog=new-template')
  await message(page).click()
  await page.keyboard.type('Hi {first')
  loaded.resolve()
  await expect(page.getByRole('option', { name: 'First Name' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type(', ready')
  await expect(message(page)).toContainText('First Name, ready')
})

test('until the list with the template just made is read, no other one is shown as if it were that one, and the list is not called empty', async ({
  page,
}) => {
  const { company, sql, username } = await makeNetwork()
  await sql('delete from template where company_id = $1', [company.id])
  await open(page, '/campaigns?dialog=templates', username)
  for (const name of ['Made first', 'Made second']) {
    await page.getByRole('dialog').getByRole('button', { name: 'New', exact: true }).click()
    await page.getByLabel('Template name').fill(name)
    await message(page).click()
    await page.keyboard.type('Ready at {Pharmacy Name}')
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.getByRole('button', { name: 'Save as inactive' }).click()
    await page.route('**/api/template/list/enterprise', async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Save as inactive' }).last().click()
    const templates = page.getByRole('dialog', { name: 'Templates' })
    await expect(templates).toBeVisible()
    await expect(templates.getByText('Loading records, please wait...').first()).toBeVisible()
    await expect(templates.getByText('No templates yet')).toHaveCount(0)
    await expect(templates.getByRole('heading', { name: /^Made/ })).toHaveCount(0)
    await expect(templates.getByRole('button', { name: 'Activate…' })).toHaveCount(0)
    release()
    await expect(templates.getByRole('heading', { name })).toBeVisible()
    await page.unroute('**/api/template/list/enterprise')
  }
})
