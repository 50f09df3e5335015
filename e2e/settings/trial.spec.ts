import { expect, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'
import { confirm, find, row, unique } from '../support/settings.ts'

test.setTimeout(120_000)

const PDF = { name: 'approval.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }

test('a recruiter: missing fields in one sentence, an unsafe address refused, then created', async ({ page }) => {
  const name = unique('Meridian')
  await open(page, '/settings?tab=5&list=recruiters', 'support')
  await page.getByRole('button', { name: 'Create Recruiter / Provider' }).click()
  const form = dialog(page, 'Create recruiter/provider')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'Please enter a recruiter/provider name, enter eligibility criteria, select recruiter or provider, enter a logo URL, enter a phone number, enter an email, enter a website, and enter a privacy policy.',
  )
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Eligibility criteria').fill('Adults')
  await form.getByLabel('Type').selectOption('recruiter')
  await form.getByLabel('Phone').fill('02 5550 0190')
  await form.getByLabel('Email').fill('hello@meridian.example')
  await form.getByLabel('Logo URL').fill('javascript:alert(1)')
  await form.getByLabel('Website').fill('https://meridian.example')
  await form.getByLabel('Privacy policy URL').fill('https://meridian.example/privacy')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByText('Enter a logo URL that starts with https://', { exact: true })).toBeVisible()
  await expect(form.getByLabel('Name')).toHaveValue(name)
  await form.getByLabel('Logo URL').fill('https://meridian.example/logo.svg')
  // Cut off, it would be a different address, and patients would be sent there.
  const long = `https://meridian.example/${'privacy/'.repeat(70)}`
  await form.getByLabel('Privacy policy URL').fill(long)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByText('Enter a privacy policy of at most 500 characters', { exact: true })).toBeVisible()
  await expect(form.getByLabel('Privacy policy URL')).toHaveValue(long)
  await form.getByLabel('Privacy policy URL').fill('https://meridian.example/privacy')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create recruiter/provider')
  await expect(page.getByText('Recruiter/Provider Created Successfully')).toBeVisible()
  await find(page, 'Find a recruiter or provider', name)
  await expect(row(page, name)).toContainText('meridian.example')
  await expectAccessible(page, 'recruiters and providers')
})

test('a trial from its form to its activation, which waits for consent form and ethics approval', {
  tag: '@main',
}, async ({ page }) => {
  const name = unique('Heart study')
  await open(page, '/settings?tab=5', 'support')
  await page.getByRole('button', { name: 'Create Trial' }).click()
  const form = dialog(page, 'Create clinical trial')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByRole('alert')).toContainText('enter a Pillar AI referral rebate')
  await expect(form.getByRole('alert')).toContainText('and select atleast one template.')
  await expectAccessible(page, 'a trial with problems', OPENED)
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Eligibility criteria').fill('Aged 65 or over')
  for (const [label, option] of [
    ['Recruiter', 'Meridian Trials'],
    ['Provider', 'Harbour Health Research'],
  ] as const) {
    await form.getByRole('combobox', { name: label, exact: true }).fill(option)
    await page.getByRole('option', { name: option }).click()
  }
  await form.getByRole('textbox', { name: 'Referral rebate', exact: true }).fill('20')
  await form.getByRole('textbox', { name: 'Enrolment rebate', exact: true }).fill('100')
  await form.getByLabel('Pillar AI referral rebate').fill('5')
  await form.getByLabel('Pillar AI enrolment rebate').fill('25')
  await form.getByLabel('Rebate type').selectOption('refer')
  await form.getByRole('button', { name: /Templates/ }).click()
  await page.getByRole('option', { name: 'Trial invitation' }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm(page, 'Create clinical trial')
  await expect(page.getByText('Trial Created Successfully')).toBeVisible()

  // It continues with what the trial lacks.
  const edit = dialog(page, 'Edit clinical trial')
  await expect(edit.getByText('please record its ethics approval and create its consent form')).toBeVisible()
  await edit.getByRole('button', { name: 'Create consent form' }).click()
  const consent = dialog(page, /consent form/)
  await consent.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(consent.getByRole('alert')).toHaveText(
    'Please enter a form title, enter an intro, enter a purpose heading, enter a purpose, enter a criteria heading, and enter a criteria.',
  )
  await consent.getByLabel('Form title').fill('Would you like to hear about a study?')
  await consent.getByLabel('Intro').fill('We will call you.')
  await consent.getByLabel('Purpose heading').fill('What it is about')
  await consent.getByRole('textbox', { name: 'Purpose', exact: true }).fill('It compares two ways of care.')
  await consent.getByLabel('Criteria heading').fill('Who can take part')
  await consent.getByRole('textbox', { name: 'Criteria', exact: true }).fill('- Aged 65 or over\n– Living at home')
  await consent.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('figure').getByRole('listitem')).toHaveText(['Aged 65 or over', 'Living at home'])
  await expect(page.getByRole('figure')).toContainText('gives the details above to Meridian Trials')
  await expectAccessible(page, 'a preview of a consent form', OPENED)
  await page.keyboard.press('Escape')
  await consent.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm(page, 'Create consent form')
  await expect(page.getByText('Consent Form Created Successfully')).toBeVisible()
  // After the first version the dialog writes the next one: the version patients read stays.
  await consent.getByLabel('Intro').fill('Somebody will call you.')
  await consent.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('This becomes version 2.')).toBeVisible()
  await confirm(page, 'Edit consent form')
  await expect(page.getByText('Consent Form Updated Successfully')).toBeVisible()

  await edit.getByRole('button', { name: 'Record ethics approval' }).click()
  const ethics = dialog(page, 'Record ethics approval')
  await ethics.getByLabel('Approval number').fill('2026/0417')
  await ethics.getByLabel('Approving body').fill('Harbour HREC')
  await ethics.getByLabel('Date of approval').fill('03/08/2026')
  await ethics.locator('input[type=file]').setInputFiles(PDF)
  await ethics.getByRole('button', { name: 'Record', exact: true }).click()
  await confirm(page, 'Record ethics approval')
  await expect(page.getByText('Ethics approval recorded')).toBeVisible()
  await expect(edit.getByText('Version 2')).toBeAttached()
  await edit.getByRole('button', { name: 'Cancel' }).click()

  await find(page, 'Find a clinical trial', name)
  await row(page, name)
    .getByRole('button', { name: `More about ${name}` })
    .click()
  await page.getByRole('menuitem', { name: 'Activate' }).click()
  await dialog(page, `Activate ${name}`).getByRole('button', { name: 'Activate…' }).click()
  await expect(dialog(page, 'Confirm your changes')).toContainText('has no end')
  await confirm(page, `Activate ${name}`)
  await expect(page.getByText('Clinical trial activated')).toBeVisible()
  await expect(row(page, name)).toContainText('Active')
})

test('a trial opens to its funnel and its pharmacies, and its consent form to every version', async ({ page }) => {
  await open(page, '/settings?tab=5&find=heart+failure', 'support')
  await page.getByRole('button', { name: 'Details of Heart failure at home' }).click()
  await expect(page.getByRole('heading', { name: /^One in \d+ people contacted asks to be referred$/ })).toBeVisible()
  const locations = page.getByRole('table', { name: 'Locations' })
  await expect(locations.getByRole('columnheader', { name: 'Eligible' })).toHaveAttribute('aria-sort', 'descending')
  await expect(locations.getByRole('rowheader').first()).not.toHaveText('')
  await page.getByRole('button', { name: 'See it as a patient' }).click()
  const versions = dialog(page, 'Versions of the consent form')
  await expect(versions.getByText('It compares two ways of caring')).toBeVisible()
  await versions.getByLabel('Version').selectOption({ index: 1 })
  await expect(versions.getByText('It compares ways of caring')).toBeVisible()
  await expectAccessible(page, 'versions of a consent form', OPENED)
  await page.keyboard.press('Escape')
  await expectAccessible(page, 'an opened trial')
})

test('a text too long for a consent form is refused and not shortened', async ({ page }) => {
  await open(page, '/settings?tab=5&find=heart+failure', 'support')
  await page.getByRole('button', { name: 'More about Heart failure at home' }).click()
  await page.getByRole('menuitem', { name: 'Edit consent form' }).click()
  const form = dialog(page, 'Edit consent form')
  const intro = form.getByLabel('Intro')
  const long = `${'Taking part is up to you. '.repeat(200)}You can leave at any time.`
  await intro.selectText()
  await page.keyboard.insertText(long)
  await expect(intro).toHaveValue(long)
  await form.getByRole('button', { name: 'Update' }).click()
  await expect(form.getByText('Intro: please use at most 5,000 characters.')).toBeVisible()
  await expect(intro).toBeFocused()
  await intro.fill('Taking part is up to you.')
  await form.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText(/This becomes version/)).toBeVisible()
})
