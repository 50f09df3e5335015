import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open, signInAs } from '../support/people.ts'
import { confirm, find, row, unique, write } from '../support/settings.ts'

test.setTimeout(120_000)

/** The head of a wizard step: its number or a tick, its title, its progress so far. */
const stepOf = (page: Page, name: string) =>
  page.getByRole('heading').getByRole('button', { name: new RegExp(`^(\\d|Done) ${name}`) })

test('a user: errors appear beside their fields; created, edited, disabled, removed and restored', {
  tag: '@main',
}, async ({ page }) => {
  const last = unique('Quillfeather')
  const username = `quill${Date.now()}`
  await open(page, '/settings?tab=1', 'support')
  await page.getByRole('button', { name: 'Create User' }).click()
  const form = dialog(page, 'Create user')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'Please select a company, enter a username, enter an email address, enter a first name, and enter a last name.',
  )
  await expect(form.getByLabel('Company')).toBeFocused()
  await expect(page.getByRole('option')).toHaveCount(0)
  await expectAccessible(page, 'a user form with problems', OPENED)
  await form.getByLabel('Company').fill('Saltbush')
  await page.getByRole('option', { name: 'Saltbush Pharmacy Group' }).click()
  await form.getByLabel('Username').fill('headoffice')
  await form.getByLabel('Email', { exact: true }).fill(`${username}@mail.example`)
  await form.getByLabel('First name').fill('Jo')
  await form.getByLabel('Last name').fill(last)
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create user')
  // The server's own sentence, with every entry kept.
  await expect(form.getByRole('alert')).toContainText('Somebody already has that username.')
  await expect(form.getByLabel('Last name')).toHaveValue(last)
  await form.getByLabel('Username').fill(username)
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create user')
  await expect(page.getByText('User Created Successfully')).toBeVisible()

  const name = `Jo ${last}`
  await find(page, 'Find a user', last)
  await expect(row(page, name)).toContainText('Invited')
  await row(page, name)
    .getByRole('button', { name: `Edit ${name}` })
    .click()
  const edit = dialog(page, 'Edit user')
  await edit.getByLabel('Preferred name').fill('Josie')
  await edit.getByLabel('Date of birth').fill('01/02/2999')
  await edit.getByRole('button', { name: 'Update' }).click()
  await expect(edit.getByText('Enter a date of birth in the past', { exact: true })).toBeVisible()
  await edit.getByLabel('Date of birth').fill('01/02/1980')
  await edit.getByLabel('New password').fill('short')
  await edit.getByRole('button', { name: 'Reset password' }).click()
  await confirm(page, 'Reset password')
  await expect(edit.getByText(/at least 15 characters/)).toBeVisible()
  await edit.getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Edit user')
  await expect(page.getByText('User Edited Successfully.')).toBeVisible()
  await expect(row(page, name)).toContainText('Josie')
  await expect(row(page, name)).toContainText('1 Feb 1980')

  const more = (act: string) => async () => {
    await row(page, name)
      .getByRole('button', { name: `More about ${name}` })
      .click()
    await page.getByRole('menuitem', { name: act, exact: true }).click()
  }
  await more('Reset second factor')()
  const reset = dialog(page, 'Reset second factor')
  await reset.getByRole('button', { name: 'Reset…' }).click()
  await expect(reset.getByRole('alert').last()).toHaveText('Please enter a reason.')
  await reset.getByLabel('Reason').fill('Lost phone, called back on 02 5550 0100')
  await reset.getByRole('button', { name: 'Reset…' }).click()
  await expect(page.getByText(/At the next sign-in they need only their password/)).toBeVisible()
  await confirm(page, 'Reset second factor')
  await expect(reset.getByRole('alert').last()).toHaveText('That user has no second factor.')
  await reset.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await more('Disable')()
  await confirm(page, 'Disable user')
  await expect(row(page, name)).toContainText('Disabled')
  await more('Remove')()
  await expect(page.getByText(/Are you sure you want to remove this user\?/)).toBeVisible()
  await confirm(page, 'Remove user')
  await expect(page.getByText('No records found')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await confirm(page, 'Restore user')
  await expect(row(page, name)).toContainText('Disabled')
  // Nobody can disable or remove their own login.
  await find(page, 'Find a user', 'Sione Hart')
  await page.getByRole('button', { name: 'More about Sione Hart' }).click()
  for (const act of ['Disable', 'Remove'])
    await expect(page.getByRole('menuitem', { name: act, exact: true })).toBeDisabled()
})

test('a user is linked to locations of a company and unlinked', async ({ page }) => {
  await open(page, '/settings?tab=1&find=maeve.tran', 'support')
  await page.getByRole('button', { name: 'Details of Maeve Tran' }).click()
  await page.getByRole('button', { name: 'Link Location' }).click()
  const form = dialog(page, 'Link Location')
  await form.getByLabel('Company').fill('Saltbush')
  await page.getByRole('option', { name: 'Saltbush Pharmacy Group' }).click()
  await form.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(form.getByText('Select at least one location', { exact: true })).toBeVisible()
  await form.getByRole('button', { name: /^Locations/ }).click()
  const first = page.getByRole('option').first()
  await first.click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Link', exact: true }).click()
  await confirm(page, 'Link Location')
  await expect(page.getByText('Location(s) successfully linked.')).toBeVisible()
  const linked = page.getByRole('region', { name: 'Saltbush Pharmacy Group' })
  await expect(linked.getByRole('rowheader')).toHaveCount(1)
  await linked.getByRole('button', { name: /^Unlink/ }).click()
  await expect(
    dialog(page, 'Unlink Location').getByText('Are you sure you want to unlink this location?'),
  ).toBeVisible()
  await confirm(page, 'Unlink')
  await expect(linked).toHaveCount(0)
})

test('Create Account from a company to a welcome email, with a reload and a step back', async ({ page }) => {
  const company = unique('Wattlebird Chemists')
  const stamp = Date.now()
  await open(page, '/settings', 'support')
  await page.getByRole('button', { name: 'Create Account' }).click()
  const wizard = dialog(page, /Create Account/)
  await stepOf(page, 'Users').click()
  await expect(wizard.getByRole('button', { name: 'Create User' })).toBeDisabled()
  await expect(wizard.getByText('Select or create a company first.').first()).toBeVisible()
  await page.goBack()
  await wizard.getByRole('button', { name: 'Create Company' }).click()
  const made = dialog(page, 'Create company')
  await made.getByLabel('Company name').fill(company)
  await made.getByLabel('Username').fill(`owner${stamp}`)
  await made.getByLabel('Email').fill(`owner${stamp}@mail.example`)
  await made.getByLabel('First name').fill('Olive')
  await made.getByLabel('Last name').fill('Owner')
  // Without a password, the first user is invited by a link.
  await made.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create company')
  await expect(page.getByText('Company Created Successfully')).toBeVisible()
  await expect(dialog(page, `Create Account: ${company}`)).toBeVisible()
  await expect(page).toHaveURL(/account=[0-9a-f-]{36}/)
  await expect(page).toHaveURL(/step=users/)

  await page.reload()
  await expect(dialog(page, `Create Account: ${company}`)).toBeVisible()
  await expect(wizard.getByRole('row', { name: /Olive Owner/ })).toContainText('Invited')
  await wizard.getByRole('button', { name: 'Create User' }).click()
  const user = dialog(page, 'Create user')
  await user.getByLabel('Username').fill(`second${stamp}`)
  await user.getByLabel('Email', { exact: true }).fill(`second${stamp}@mail.example`)
  await user.getByLabel('First name').fill('Sam')
  await user.getByLabel('Last name').fill('Second')
  await user.getByLabel('Account creation email').uncheck()
  await user.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create user')
  await expect(wizard.getByRole('row', { name: /Sam Second/ })).toContainText('Not invited')
  await expectAccessible(page, 'the wizard', OPENED)

  await stepOf(page, 'Locations').click()
  await wizard.getByRole('button', { name: 'Create Pharmacy' }).click()
  const place = dialog(page, 'Create pharmacy')
  await place.getByLabel('Name', { exact: true }).fill('Wattlebird North')
  await place.getByLabel('Street address').fill('1 High Street')
  await place.getByLabel('Suburb', { exact: true }).fill('Ballarat')
  await place.getByLabel('State', { exact: true }).selectOption('VIC')
  await place.getByLabel('Postcode', { exact: true }).fill('3350')
  await place.getByLabel('Phone', { exact: true }).fill('03 5555 0000')
  await place.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create pharmacy')
  await expect(page.getByText('Pharmacy Created Successfully')).toBeVisible()

  await stepOf(page, 'Link Users').click()
  await expect(wizard.getByRole('button', { name: 'Link Users', exact: true }).last()).toBeDisabled()
  await wizard.getByRole('button', { name: /^Users .*Select users/ }).click()
  await page.getByRole('option', { name: /Sam Second/ }).click()
  await page.keyboard.press('Escape')
  // A step back and forth keeps the selection.
  await stepOf(page, 'Users').click()
  await stepOf(page, 'Link Users').click()
  await expect(wizard.getByRole('button', { name: /^Users .*Sam Second/ })).toBeVisible()
  await wizard.getByRole('button', { name: /^Locations .*Select locations/ }).click()
  await page.getByRole('option', { name: /Wattlebird North/ }).click()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page).toHaveURL(/step=links/)
  await expect(wizard.getByRole('button', { name: /^Users .*Sam Second/ })).toBeVisible()
  await expect(wizard.getByRole('button', { name: /^Locations .*Wattlebird North/ })).toBeVisible()
  await wizard.getByRole('button', { name: 'Link Users', exact: true }).last().click()
  await confirm(page, 'Link users')
  await expect(page.getByText('Locations Linked Successfully')).toBeVisible()

  await stepOf(page, 'Onboarding').click()
  const line = wizard.getByLabel(`second${stamp}, Wattlebird North`)
  await expect(line).toBeChecked()
  await wizard.getByRole('button', { name: 'Unselect All' }).click()
  await expect(wizard.getByText('Select at least one notification.')).toBeVisible()
  await page.reload()
  await expect(line).not.toBeChecked()
  await wizard.getByRole('button', { name: 'Select All Unsent' }).click()
  await wizard.getByRole('button', { name: 'Send 1 welcome email' }).click()
  await confirm(page, 'Send 1 welcome email')
  await expect(page.getByText('Welcome Email Sent Successfully')).toBeVisible()
  await expect(line).not.toBeChecked()
  await wizard.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(page).not.toHaveURL(/account=/)
})

/** A new company of Olive Owner alone. */
async function olivesCompany(page: Page) {
  const company_name = unique('Kurrajong Chemists')
  const username = `owner${Date.now()}`
  const ask = await signInAs(page, 'support')
  const person = { username, email: `${username}@mail.example`, first_name: 'Olive', last_name: 'Owner' }
  const { uuid } = await write<{ uuid: string }>(ask, 'company/create', { company_name, ...person }, null)
  return { ask, uuid, username, company_name }
}

test('the owner of a new pharmacy is linked to it at once in Create Account', async ({ page }) => {
  const { ask, uuid, username } = await olivesCompany(page)
  await page.goto(`/settings?account=${uuid}&step=locations`)
  const wizard = dialog(page, /Create Account/)
  // The progress so far is read before the pharmacy is created.
  await expect(stepOf(page, 'Link Users')).toContainText('0 links', { timeout: 30_000 })
  await wizard.getByRole('button', { name: 'Create Pharmacy' }).click()
  const place = dialog(page, 'Create pharmacy')
  await place.getByLabel('Name', { exact: true }).fill('Kurrajong North')
  await place.getByLabel('Find the suburb').fill('3350')
  await page.getByRole('option', { name: 'Ballarat Central VIC 3350' }).click()
  await place.getByLabel('Owner').selectOption({ index: 1 })
  await place.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create pharmacy')
  await expect(page.getByText('Pharmacy Created Successfully')).toBeVisible()
  await stepOf(page, 'Link Users').click()
  // A list without it would remove the link again when saved.
  await expect(wizard.getByRole('row', { name: /Olive Owner/ })).toContainText('Kurrajong North')

  await stepOf(page, 'Onboarding').click()
  await expect(wizard.getByLabel(`${username}, Kurrajong North`)).toBeChecked()
  await stepOf(page, 'Link Users').click()

  // So would one that does not know what somebody else has linked since.
  const south = { name: 'Kurrajong South', town: 'Ballarat', region: 'VIC', postcode: '3350' }
  const { uuid: location_id } = await write<{ uuid: string }>(
    ...([ask, 'create-company-pharmacy', { company_id: uuid, ...south }, null] as const),
  )
  const { data } = await ask<{ data: { uuid: string }[] }>(`company/${uuid}/users`, {})
  const pair = { login_id: data[0]!.uuid, location_id }
  await write(ask, 'location-link-login', pair, Object.values(pair).sort().join(','))
  await wizard.getByRole('button', { name: 'Change locations Olive Owner' }).click()
  const form = dialog(page, 'Change locations')
  await form.getByRole('button', { name: /^Locations/ }).click()
  await page.getByRole('option', { name: /Kurrajong North/ }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Change locations')
  await expect(form).toHaveCount(0)
  const { data: linked } = await ask<{ data: { name: string }[] }>(`user/${data[0]!.uuid}/locations`, {})
  expect(linked.map(({ name }) => name)).toEqual(['Kurrajong South'])

  // Nor does a list that has been open for a while undo what somebody else changed meanwhile.
  await wizard.getByRole('button', { name: 'Change locations Olive Owner' }).click()
  await write(ask, 'location-unlink-login', pair, Object.values(pair).sort().join(','), 'delete')
  await form.getByRole('button', { name: /^Locations/ }).click()
  await page.getByRole('option', { name: /Kurrajong North/ }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Change locations')
  await expect(form.getByRole('row', { name: 'Locations – Kurrajong North, Kurrajong South' })).toBeVisible()
})

test('the pharmacies of a user say which of them they own', async ({ page }) => {
  const { ask, uuid, username, company_name } = await olivesCompany(page)
  const { data } = await ask<{ data: { uuid: string }[] }>(`company/${uuid}/users`, {})
  const owner_id = data[0]!.uuid
  const place = { company_id: uuid, town: 'Ballarat', region: 'VIC', postcode: '3350' }
  await write(ask, 'create-company-pharmacy', { ...place, name: 'Kurrajong North', owner: owner_id }, null)
  const south = await write<{ uuid: string }>(
    ask,
    'create-company-pharmacy',
    { ...place, name: 'Kurrajong South' },
    null,
  )
  const pair = { login_id: owner_id, location_id: south.uuid }
  await write(ask, 'location-link-login', pair, Object.values(pair).sort().join(','))
  await page.goto(`/settings?tab=1&find=${username}`)
  await page.getByRole('button', { name: 'Details of Olive Owner' }).click()
  const linked = page.getByRole('region', { name: company_name })
  await expect(linked.getByRole('row', { name: /Kurrajong North/ })).toContainText('Owner')
  await expect(linked.getByRole('row', { name: /Kurrajong South/ })).not.toContainText('Owner')
})
