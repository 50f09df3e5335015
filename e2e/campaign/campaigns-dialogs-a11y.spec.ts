import { calendarLabel, currentCalendar } from '@pillar/domain/time/calendar-period'
import { dayIn } from '@pillar/domain/time/zone'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBoth, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

const MONTH = new RegExp(`^${calendarLabel(currentCalendar(dayIn('Australia/Sydney', new Date())))}`)
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const TOAST = '.mantine-Notification-root'
const LIST = '.mantine-Combobox-dropdown'

test.setTimeout(300_000)

/** Checks the open dialog in both themes, once it has stopped moving. */
async function look(page: Page, name: string | RegExp, state: string, parts: string | string[] = OPENED) {
  await expect(dialog(page, name).last()).toHaveCSS('opacity', '1')
  await expectAccessibleInBoth(page, state, parts)
}

async function shut(page: Page, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(dialog(page, name)).toHaveCount(0)
}

test('menus, filters, explanations and messages of the Campaigns page', async ({ page }) => {
  const network = await makeNetwork({ people: [texted(), texted()], campaign: 'Repeats due', reached: true })
  await open(page, '/campaigns', network.username)
  await expect(page.getByRole('table', { name: 'Messages by pharmacy' })).toBeVisible()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Sending rules' })).toBeFocused()
  await expectAccessibleInBoth(page, 'the menu', '[role=menu]')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: '1 pharmacy', exact: true }).click()
  await expect(page.getByRole('option', { name: network.pharmacies[0]!.name })).toBeVisible()
  await look(page, '1 pharmacy', 'the pharmacies, listed')
  await page.getByLabel('Search pharmacies').fill('none such')
  await expect(page.getByText('No records found')).toBeVisible()
  await look(page, '1 pharmacy', 'no pharmacy found')
  await shut(page, '1 pharmacy')

  await page.getByRole('button', { name: MONTH }).click()
  await dialog(page, 'Time Period').getByRole('radio', { name: 'Quarter' }).click()
  await expect(dialog(page, 'Time Period').getByText('Please select a quarter')).toBeVisible()
  await look(page, 'Time Period', 'a period not yet chosen')
  await shut(page, 'Time Period')

  for (const what of ['reach', 'cost', 'revenue', 'ROI']) {
    await page.getByRole('button', { name: `${what}: how it is calculated` }).click()
    await look(page, `How ${what} is calculated`, `how ${what} is calculated`)
    await shut(page, `How ${what} is calculated`)
  }

  await page.getByRole('button', { name: `Details of ${network.pharmacies[0]!.name}` }).click()
  await expect(page.getByText(/sent no messages in this period|What happened to it/)).toBeVisible()
  await page.route('**/api/enterprise-message-stats-csv', (route) =>
    route.fulfill({ status: 500, json: { message: 'Broken.' } }),
  )
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect(page.getByText('The file was not made. Broken.')).toBeVisible()
  await expectAccessibleInBoth(page, 'a row opened, and a failure')
  await page.getByRole('searchbox', { name: 'Find a pharmacy' }).fill('none such')
  await expect(page.getByText('No records found for “none such”')).toBeVisible()
  await expectAccessibleInBoth(page, 'nothing found', 'main')
})

test('a campaign’s dialogs from the question before sending to the one before deleting', async ({ page }) => {
  const network = await makeNetwork({ people: [texted(), texted({ sms_opt_out: true })], campaign: 'Repeats due' })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  const campaigns = dialog(page, 'Campaigns')
  await campaigns.getByRole('button', { name: '1 template' }).click()
  await look(page, 'Campaign Attachments', 'attachments')
  await shut(page, 'Campaign Attachments')

  await campaigns.getByRole('button', { name: 'Activate…' }).click()
  const sure = dialog(page, 'Send “Repeats due”?')
  await sure.getByText('Who is held back, and what it costs').click()
  await sure.getByRole('button', { name: 'Send 1 text, $0.12' }).click()
  await expect(sure.getByRole('alert')).toHaveText('Username and password are required.')
  await look(page, 'Send “Repeats due”?', 'the question before sending, refused')
  await password(page).fill(PASSWORD)
  await sure.getByRole('button', { name: 'Send 1 text, $0.12' }).click()

  await expect(campaigns.getByRole('button', { name: 'Cancel sending' })).toBeVisible({ timeout: 30_000 })
  await campaigns.getByText('Why: held back 1').click()
  await campaigns.getByRole('button', { name: `Open ${network.pharmacies[0]!.name}` }).click()
  await expect(campaigns.getByRole('button', { name: 'Stop this pharmacy' })).toBeVisible()
  await look(page, 'Campaigns', 'counting down, a pharmacy opened')
  await campaigns.getByRole('button', { name: 'Cancel sending' }).click()
  await expect(page.getByText(/^Stopped\. 1 message will not be sent/)).toBeVisible()
  await look(page, 'Campaigns', 'sending cancelled', [OPENED, TOAST])

  for (const [button, title] of [
    ['Resume…', 'Resume sending “Repeats due”?'],
    ['Resume this pharmacy…', 'Resume sending “Repeats due”?'],
    ['Deactivate…', 'Deactivate “Repeats due”?'],
    ['Delete…', 'Delete “Repeats due”?'],
  ] as const) {
    await campaigns.getByRole('button', { name: button }).click()
    await expect(password(page)).toBeFocused()
    await look(page, title, button)
    await shut(page, title)
  }
})

test('writing a campaign: its errors, its lists, a new template, its cohort', async ({ page }) => {
  const network = await makeNetwork({ people: [texted(), texted({ sms_opt_out: true })] })
  await open(page, '/campaigns?dialog=new-campaign', network.username)
  const form = dialog(page, 'New campaign')
  await form.getByRole('button', { name: 'Activate…' }).click()
  await expect(form.getByRole('alert')).toBeVisible()
  await look(page, 'New campaign', 'an empty form')
  await form.getByRole('button', { name: /^Pharmacies/ }).click()
  await page.getByRole('option', { name: network.pharmacies[0]!.name }).click()
  await look(page, 'New campaign', 'its pharmacies, listed', [OPENED, LIST])
  await page.keyboard.press('Escape')
  await form.getByRole('checkbox', { name: new RegExp(network.template) }).check()

  await form.getByRole('button', { name: '+ Add New Template' }).click()
  const template = dialog(page, 'New Template')
  await template.getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(template.getByRole('alert')).toBeVisible()
  await look(page, 'New Template', 'an empty template')
  await template.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('Hi {')
  await expect(page.getByRole('listbox', { name: 'Merge fields' })).toBeVisible()
  await look(page, 'New Template', 'merge fields, listed')
  await page.keyboard.type('First Name}, ł')
  await expect(template.getByText('reduces each part from 160 to 70 characters')).toBeVisible()
  await template.getByRole('button', { name: 'Merge field' }).click()
  await expectAccessibleInBoth(page, 'the menu of fields', '[role=menu]')
  await page.keyboard.press('Escape')
  await template.getByRole('tab', { name: 'Preview and test' }).click()
  await template.getByRole('button', { name: 'Send a test text' }).click()
  await expect(template.getByText('Please enter a mobile number.')).toBeVisible()
  await look(page, 'New Template', 'its preview')
  await template.getByRole('tab', { name: 'Starter drafts' }).click()
  await template.getByRole('button', { name: /^Use / }).first().click()
  await look(page, 'Replace the message?', 'starter drafts, and the question before one replaces the message')
  await shut(page, 'Replace the message?')
  await template.getByRole('button', { name: 'Cancel' }).click()
  await look(page, 'Leave without saving?', 'leaving unsaved work')
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(template).toHaveCount(0)

  await form.getByRole('button', { name: 'Refine Cohort' }).click()
  const cohort = dialog(page, /^Refine Cohort/)
  await cohort.getByRole('group', { name: 'Adherence' }).getByRole('button', { name: /^2/ }).click()
  await expect(cohort.getByRole('button', { name: 'Save cohort of 1' })).toBeVisible()
  await cohort.getByLabel('Search molecules').fill('no such thing')
  await expect(cohort.getByText('No records found')).toBeVisible()
  await look(page, /^Refine Cohort/, 'no molecules')
  await cohort.getByRole('button', { name: 'Age: another range' }).click()
  const range = dialog(page, 'Age: another range')
  await range.getByLabel('Range').fill('old')
  await range.getByRole('button', { name: 'Add' }).click()
  await expect(range.getByText('Write a range such as 10-15 or 65+.')).toBeVisible()
  await look(page, /^Age/, 'a range that is none')
  await shut(page, 'Age: another range')
  await cohort.getByRole('button', { name: /^Drug type/ }).click()
  await expect(page.getByRole('listbox', { name: 'Drug type' })).toBeVisible()
  await look(page, /^Refine Cohort/, 'drug types, listed', [OPENED, LIST])
  await page.keyboard.press('Escape')
  await cohort.getByRole('button', { name: 'See the list' }).click()
  await look(page, 'Cohort by pharmacy', 'the cohort by pharmacy')
  await shut(page, 'Cohort by pharmacy')
  await expect(cohort).toBeVisible()
})

test('templates, sending rules, help and recommendations', async ({ page }) => {
  const network = await makeNetwork({ campaign: 'Repeats due' })
  await network.sql('update campaign set active = true, start_day = current_date where company_id = $1', [
    network.company.id,
  ])
  await open(page, '/campaigns?dialog=templates', network.username)
  const templates = dialog(page, 'Templates')
  for (const [button, title] of [
    ['Deactivate…', `Deactivate “${network.template}”?`],
    ['Delete…', `Delete “${network.template}”?`],
  ] as const) {
    await templates.getByRole('button', { name: button }).click()
    await expect(dialog(page, title)).toContainText('Repeats due')
    await look(page, title, button)
    await shut(page, title)
  }
  await templates.getByRole('button', { name: 'Edit' }).click()
  await dialog(page, 'Edit Template').getByRole('button', { name: 'Save', exact: true }).click()
  const save = dialog(page, `Save “${network.template}”?`)
  await save.getByRole('radio', { name: 'Save as a copy' }).click()
  await save.getByLabel('Template name').fill('')
  await save.getByRole('button', { name: 'Save as a copy' }).click()
  await expect(save.getByRole('alert')).toHaveText('Template name is required.')
  await look(page, `Save “${network.template}”?`, 'saving as new')

  await page.goto('/campaigns?dialog=sending-rules')
  const rules = dialog(page, 'Sending rules')
  await rules.getByLabel('Messages', { exact: true }).fill('0')
  await rules.getByRole('switch', { name: 'Sunday' }).uncheck()
  await rules.getByRole('button', { name: 'Save…' }).click()
  await expect(rules.getByRole('alert')).toBeVisible()
  await look(page, 'Sending rules', 'sending rules with a mistake')
  await rules.getByLabel('Messages', { exact: true }).fill('5')
  await rules.getByRole('button', { name: 'Save…' }).click()
  await look(page, 'Save the sending rules?', 'the question before the rules are saved')

  await page.goto('/campaigns?dialog=ai-help')
  const help = dialog(page, 'AI help')
  for (const question of await help.locator('summary').all()) await question.click()
  await look(page, 'AI help', 'AI help, opened')
  await page.goto('/campaigns?dialog=recommendations&type=template')
  const all = dialog(page, 'Recommendations')
  await expect(all.getByRole('button', { name: 'Activate', exact: true })).toBeVisible()
  await look(page, 'Recommendations', 'recommended templates')
  await all.getByRole('searchbox').fill('none such')
  await expect(all.getByText('No records found')).toBeVisible()
  await look(page, 'Recommendations', 'no recommendation found')
})
