import { expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { fillIn, open, PASSWORD, signInAs } from '../support/people.ts'
import { confirm, unique, write } from '../support/settings.ts'
import { invitedPatient } from '../support/trial.ts'

const BACK = 'What you typed before you were signed out is back.'

/** The session ends while a form is being saved, and the same person signs in again. */
async function endAsSaved(page: Page, path: string, button: string, sure: string): Promise<void> {
  await page.route(path, (route) =>
    route.fulfill({ status: 401, json: { code: 'session_expired', message: 'Your session has expired.' } }),
  )
  await page.getByRole('dialog').last().getByRole('button', { name: button, exact: true }).click()
  await confirm(page, sure)
  await expect(page.getByText('Your session has expired. Please sign in again.')).toBeVisible()
  await page.unroute(path)
  await fillIn(page, 'support', PASSWORD)
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
}

test('entries in a consent form from before the session ended are back, only at their own trial', async ({ page }) => {
  test.slow()
  const { trial } = await invitedPatient()
  const { trial: other } = await invitedPatient({ trial: `${trial} too` })
  await open(page, `/settings?tab=5&find=${encodeURIComponent(trial)}`, 'support')
  const form = dialog(page, 'Edit consent form')
  const edit = async (name: string) => {
    await page.getByRole('button', { name: `More about ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Edit consent form' }).click()
    await expect(form.getByLabel('Form title')).toHaveValue('A study about hearts')
  }
  await edit(trial)
  await form.getByLabel('Intro').fill('Written for an hour')
  await endAsSaved(page, '**/consent-form/edit', 'Update', 'Edit consent form')
  await edit(other)
  await expect(form.getByLabel('Intro')).toHaveValue(/^Your pharmacy has been asked/)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await edit(trial)
  await expect(form.getByLabel('Intro')).toHaveValue('Written for an hour')
  await expect(page.getByText(BACK)).toBeVisible()
})

test('entries for one company’s template are not put into the same template of another', async ({ page }) => {
  test.slow()
  const name = unique('Kept')
  const ask = await signInAs(page, 'support')
  const { data } = await ask<{ data: { uuid: string; name: string }[] }>('company/list', {})
  const companies = data.filter((one) => /^(Saltbush|Wattle)/.test(one.name)).map(({ uuid }) => uuid)
  const text = { name, body: 'Hi from {Pharmacy Name}', communication_type: 'sms' }
  await write(ask, 'template/admin/create', { ...text, companies }, null)
  await page.goto(`/settings?tab=2&list=company&find=${encodeURIComponent(name)}`)
  const edits = page.getByRole('button', { name: `Edit ${name}` })
  const form = dialog(page, 'Edit template')
  await expect(edits).toHaveCount(2)
  await edits.first().click()
  await form.getByLabel('Template name').fill(`${name} of the first`)
  await endAsSaved(page, '**/api/template/admin/edit', 'Update', 'Update 1 template')
  await edits.last().click()
  await expect(form.getByLabel('Template name')).toHaveValue(name)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await edits.first().click()
  await expect(form.getByLabel('Template name')).toHaveValue(`${name} of the first`)
  await expect(page.getByText(BACK)).toBeVisible()
})

test('what was typed for a template within a campaign’s form when the session ended is back there', async ({
  page,
}) => {
  test.slow()
  await open(page, '/settings?tab=3', 'support')
  const made = dialog(page, 'Create recommended template')
  const begin = async () => {
    await page.getByRole('button', { name: 'Create Recommended Campaign' }).click()
    await page.getByRole('button', { name: 'Create template' }).click()
  }
  await begin()
  await made.getByLabel('Template name').fill('Kept text')
  await made.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.insertText('Hi from {Pharmacy Name}')
  await endAsSaved(page, '**/api/template-recommendation/admin/create', 'Create', 'Create recommended template')
  await begin()
  await expect(made.getByLabel('Template name')).toHaveValue('Kept text')
  await expect(page.getByText(BACK)).toBeVisible()
})
