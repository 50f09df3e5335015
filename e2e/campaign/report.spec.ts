import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open } from '../support/people.ts'

test('a message history: requested in the profile menu, mailed, downloaded once', { tag: '@main' }, async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  const people = [texted({ first_name: 'Ines' }), texted({ first_name: '=HYPERLINK("x")' })]
  const network = await makeNetwork({ pharmacies: 2, people, reached: true })
  const [asked, silent] = network.pharmacies
  // The person who signs in is the contact of the first pharmacy; the second has none.
  await network.sql('update location set owner_login_id = (select id from login where username = $2) where id = $1', [
    asked!.id,
    network.username,
  ])
  await open(page, '/campaigns', network.username)
  await page.getByRole('navigation', { name: 'Main' }).hover()
  await page.getByRole('button', { name: /Test Person/ }).click()
  await page.getByRole('menuitem', { name: 'Message History Report' }).click()
  const report = page.getByRole('dialog', { name: 'Generate Message History Report' })
  const generate = report.getByRole('button', { name: 'Generate Report' })
  await expect(report.getByText(`Test Person · ${network.email}`)).toBeVisible()
  await expect(report.getByRole('option', { name: new RegExp(silent!.name) })).toBeDisabled()
  await expect(report.getByText('No Contact Set')).toBeVisible()
  await expect(generate).toBeDisabled()
  await report.getByRole('option', { name: new RegExp(asked!.name) }).click()
  await report.getByLabel('From').fill('2999-01-01')
  await expect(generate).toBeDisabled()
  await expect(report.getByText('Please choose a start that is not after the end.').first()).toBeVisible()
  await report.getByLabel('From').fill('2026-01-01')
  await generate.click()
  await expect(page.getByText('Report Successfully Generated.')).toBeVisible()
  await expect(report).toHaveCount(0)

  const row = page.getByRole('row').filter({ hasText: `Message history of ${asked!.name}` })
  await expect(async () => {
    await page.goto('/outbox')
    await expect(row).toHaveCount(1, { timeout: 3_000 })
  }).toPass({ timeout: 90_000 })
  // A signed-in person keeps the portal's frame around it.
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page).toHaveTitle('Outbox - Pillar')
  await row.getByRole('button', { name: /^Details of/ }).click()
  const letter = page.getByRole('article', { name: `Message history of ${asked!.name}` })
  await expect(letter).toContainText('2 messages. Download it here:')
  const address = (await letter.getByRole('link').getAttribute('href')) ?? ''
  expect(new URL(address, 'http://localhost').pathname).toMatch(/^\/download-file\/.+/)

  // The pharmacy's contact opens the link in a browser without a session.
  const stranger = await browser.newContext()
  const theirs = await stranger.newPage()
  const path = new URL(address, 'http://localhost').pathname
  // A scanner of a mail system opens the link first, and runs the page.
  const scanner = await stranger.newPage()
  await scanner.goto(path)
  await expect(scanner.getByRole('button', { name: 'Download' })).toBeVisible()
  await theirs.goto(path)
  const download = theirs.getByRole('button', { name: 'Download' })
  const [file] = await Promise.all([theirs.waitForEvent('download'), download.click()])
  expect(file.suggestedFilename()).toMatch(new RegExp(`^${asked!.name} patient list 2026-01-01 to .+\\.csv$`))
  const lines = (await readFile(await file.path(), 'utf8')).replace(/^\uFEFF+/, '').split('\r\n')
  expect(lines[0]).toBe(
    'Date,Patient number,First name,Last name,Channel,Template,Sent by,Status,Reason,SMS parts,"Cost, AUD",Allowed by,Consent given,Consent wording',
  )
  expect(lines).toHaveLength(4)
  expect(lines.find((line) => line.includes(',Ines,'))).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d,c-.*,Ines,Moran,SMS,Repeat due,Campaign,DELIVERED,,1,0\.12,[^,]+,[^,]*,.*$/,
  )
  // No cell begins like a formula.
  expect(lines.join('\n')).toContain('HYPERLINK')
  expect(lines.join('\n')).not.toMatch(/(^|,)"?=/m)

  await theirs.goto(path)
  await download.click()
  await expect(theirs.getByText('This link has expired. Return to Pillar to create a new link.')).toBeVisible()
  await stranger.close()
})
