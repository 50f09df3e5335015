import { expect, type Page, test } from '@playwright/test'
import { ask } from '../support/files.ts'
import { addPerson, addPharmacy } from '../support/install.ts'
import { open } from '../support/people.ts'

/** A company with a pharmacy and one person, in two tabs. */
async function openTwice(page: Page): Promise<[Page, Page]> {
  const stamp = `${Date.now()}-${test.info().workerIndex}`
  await addPharmacy(`Two tabs ${stamp}`, 'Corner Pharmacy', '2000')
  await addPerson(`Two tabs ${stamp}`, 'AU', `tabs-${stamp}`)
  await open(page, '/financials', `tabs-${stamp}`)
  const other = await page.context().newPage()
  await other.goto('/financials')
  return [page, other]
}

test('when one target is changed in two tabs, the second shows both and saves over it only on request', async ({
  page,
}) => {
  test.slow()
  const [first, second] = await openTwice(page)
  const list = (tab: Page) => tab.getByRole('dialog', { name: /^Targets: Financial year/ })
  const form = (tab: Page) => tab.getByRole('dialog', { name: 'Change the target' })
  const begin = async (tab: Page) => {
    await tab.getByRole('button', { name: 'Targets' }).click()
    await list(tab).getByRole('button', { name: 'Change the target of revenue for Whole company' }).click()
  }
  await first.getByRole('button', { name: 'Targets' }).click()
  await list(first).getByRole('button', { name: 'Set a target…' }).click()
  await first.getByLabel('Target ($)').fill('100')
  await first.getByRole('button', { name: 'Set target' }).click()
  await expect(first.getByText('Target saved')).toBeVisible()
  await list(first).getByRole('button', { name: 'Close' }).last().click()
  await second.reload()
  await begin(first)
  await begin(second)
  await form(first).getByLabel('Target ($)').fill('200')
  await form(first).getByRole('button', { name: 'Update' }).click()
  await expect(list(first).getByRole('cell', { name: '$200' })).toBeVisible()
  await form(second).getByLabel('Target ($)').fill('300')
  await form(second).getByRole('button', { name: 'Update' }).click()
  const both = form(second).getByRole('row', { name: /Target/ })
  await expect(both).toContainText('200')
  await expect(both).toContainText('300')
  await form(second).getByRole('button', { name: 'Save mine over it' }).click()
  await expect(list(second).getByRole('cell', { name: '$300' })).toBeVisible()
})

test('a view renamed in one tab can still be renamed in the other, which shows both', async ({ page }) => {
  test.slow()
  const [first, second] = await openTwice(page)
  await first.getByRole('button', { name: 'Views' }).click()
  await first.getByRole('menuitem', { name: 'Save this view…' }).click()
  await first.getByRole('dialog').getByLabel('Name').fill('Weekly')
  await first.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(first.getByText('View saved')).toBeVisible()
  await second.reload()
  const form = (tab: Page) => tab.getByRole('dialog', { name: 'Change the view' })
  for (const tab of [first, second]) {
    await tab.getByRole('button', { name: /^(Views|Weekly)$/ }).click()
    await tab.getByRole('menuitem', { name: 'Manage views…' }).click()
    await tab
      .getByRole('dialog', { name: 'Saved views' })
      .getByRole('button', { name: /^Rename or share/ })
      .click()
  }
  await form(first).getByLabel('Name').fill('Every week')
  await form(first).getByRole('button', { name: 'Update' }).click()
  await expect(first.getByText('View updated')).toBeVisible()
  await form(second).getByLabel('Name').fill('By week')
  await form(second).getByRole('button', { name: 'Update' }).click()
  const both = form(second).getByRole('row', { name: /^Name/ })
  await expect(both).toContainText('Every week')
  await expect(both).toContainText('By week')
  await form(second).getByRole('button', { name: 'Save mine over it' }).click()
  await expect(second.getByText('View updated')).toBeVisible()
})

test('the day of the monthly report, changed in another tab meanwhile, is shown beside one’s own choice', async ({
  page,
}) => {
  test.slow()
  const [first, second] = await openTwice(page)
  const form = (tab: Page) => tab.getByRole('dialog', { name: 'Change the day' })
  for (const tab of [first, second]) {
    await ask(tab, 'Monthly report by email…')
    await tab.getByRole('button', { name: 'Change the day…' }).click()
  }
  await form(first).getByLabel('The report goes out on').selectOption('5')
  await form(first).getByRole('button', { name: 'Update' }).click()
  await expect(first.getByText('Day changed')).toBeVisible()
  await form(second).getByLabel('The report goes out on').selectOption('7')
  await form(second).getByRole('button', { name: 'Update' }).click()
  const both = form(second).getByRole('row', { name: /goes out on/ })
  await expect(both).toContainText('fifth business day')
  await expect(both).toContainText('seventh business day')
  await form(second).getByRole('button', { name: 'Save mine over it' }).click()
  await expect(second.getByText('Day changed')).toBeVisible()
})
