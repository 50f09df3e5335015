import { registeredText } from '@pillar/domain/trial/agreement'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '../support/axe.ts'
import { invitedPatient } from '../support/trial.ts'

test.use({ viewport: { width: 390, height: 844 } })

const DEAD = 'Consent form is invalid / already submitted'
const person = (page: Page) => page.getByRole('checkbox', { name: 'I am a person' })

async function tick(page: Page): Promise<void> {
  await person(page).click()
  await expect(page.getByText('Checked, thank you')).toBeVisible()
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** Phone and email are in the pharmacy's record; only the patient knows the postcode. */
test('a patient reads about a trial, signs up once, and withdraws; also in dark mode', { tag: '@main' }, async ({
  page,
}) => {
  const kept: string[] = []
  page.on('request', (request) => kept.push(request.url()))
  const { path, token, trial, pharmacy, recruiter } = await invitedPatient()
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'A study about hearts' })).toBeVisible()
  await expect(page).toHaveTitle('Clinical Trial - Pillar')
  await expect(page.getByText(pharmacy, { exact: true })).toBeVisible()
  await expect(page.getByText('Wollongong NSW 2500')).toBeVisible()
  for (const text of ['Taking part is your choice.', 'It takes one visit.']) {
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }
  await expect(page.getByRole('listitem')).toHaveText(['Adults aged 70 or older', 'on low-dose medication for 60 days'])
  await expect(page.getByRole('link', { name: recruiter, exact: true }).first()).toHaveAttribute(
    'href',
    'https://meridian.example/',
  )
  await expect(
    page.getByText(`By signing up you agree that ${pharmacy} gives the details above to ${recruiter}`),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: `Privacy policy of ${recruiter}` })).toBeVisible()
  await expect(page.getByLabel('First Name')).toBeDisabled()
  await expect(page.getByLabel('First Name')).toHaveValue('Margaret')
  const postcode = page.getByLabel('Postcode')
  await expect(postcode).toBeEnabled()
  await expect(postcode).toHaveAttribute('inputmode', 'numeric')

  const go = page.getByRole('button', { name: 'Sign Up Now' })
  await expect(go).toHaveAccessibleDescription('Fill in your postcode, and tick “I am a person” to sign up.')
  await go.click({ force: true })
  await expect(postcode).toBeFocused()
  await expectAccessible(page, 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'dark')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  for (const target of await page.locator('main :is(a, button, input:not([type=checkbox]), .person), footer a').all()) {
    expect((await target.boundingBox())?.height ?? 44, (await target.textContent()) ?? '').toBeGreaterThanOrEqual(44)
  }

  await expect(page.getByLabel('Phone Number')).toHaveValue(/^04\d\d \d{3} \d{3}$/)
  await postcode.fill('22')
  await expect(go).toHaveAccessibleDescription(/Please enter a postcode of four digits, such as 2000\./)
  // The rest uses only the keyboard.
  await postcode.fill('2500')
  await person(page).focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Checked, thank you')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(go).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(registeredText(trial))).toBeVisible()
  await expect(page.getByRole('status')).toBeFocused()
  await expectAccessible(page, 'signed up')

  const leave = (await page.locator('a.keep').getAttribute('href')) ?? ''
  await page.reload()
  await expect(page.getByRole('heading', { name: DEAD })).toBeVisible()
  await page.goto(new URL(leave).pathname)
  await expect(page.getByRole('heading', { name: `Withdraw from the ${trial} study` })).toBeVisible()
  await tick(page)
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText(`You have withdrawn from the ${trial} study.`)).toBeVisible()
  await page.reload()
  await expect(page.getByText(`You have withdrawn from the ${trial} study.`)).toBeVisible()

  // The secret appears only in paths, and the browser stores nothing.
  for (const url of kept) expect(new URL(url).search).not.toContain(token)
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(token)
})

test('texts and names are shown unchanged, never run (T36)', { tag: '@main' }, async ({ page }) => {
  let dialogs = 0
  page.on('dialog', (dialog) => {
    dialogs++
    void dialog.dismiss()
  })
  const bad = [
    ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>'],
    ...[
      'javascript:alert(1)',
      '{{constructor.constructor("alert(1)")()}}',
      '<iframe srcdoc="<script>alert(1)</script>">',
    ],
  ]
  const all = bad.join('\n')
  const { path } = await invitedPatient({
    trial: `${bad[1]} ${Date.now()}`,
    first_name: bad[0]!,
    last_name: bad[2]!,
    form: {
      form_title: bad[1]!,
      intro: all,
      purpose_heading: bad[2]!,
      purpose: all,
      criteria_heading: bad[0]!,
      criteria: all,
    },
  })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(bad[1]!)
  await expect(page.getByRole('listitem')).toHaveText(bad)
  await expect(page.locator('main script, main img, main iframe, main svg[onload]')).toHaveCount(0)
  expect(dialogs).toBe(0)
})

test('the recall variant has its own words; links that do not work look alike', async ({ page }) => {
  const { path } = await invitedPatient({ trial: 'Recall' })
  await page.goto(path)
  await expect(page.getByText(/^Your pharmacy takes part in a survey/)).toBeVisible()
  await expect(page.getByText('the third party that runs the survey')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Why this study' })).toHaveCount(0)

  // After the sign-up the page leads on, unless the patient would rather read first.
  await page.route('https://survey.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'Survey' }))
  await page.getByLabel('Postcode').fill('2500')
  await tick(page)
  await page.getByRole('button', { name: 'Sign Up Now' }).click()
  await expect(page.getByText('You are taken to the survey in a few seconds.')).toBeVisible()
  await expect(page.locator('a.keep')).toBeVisible()
  await expectAccessible(page, 'on the way to the survey')
  await page.waitForURL('https://survey.example/start')
  for (const dead of ['/clinicaltrial/AAAAAAAAAAAAAAAAAAAAAA', `${path}x`]) {
    await page.goto(dead)
    await expect(page.getByRole('heading', { name: DEAD })).toBeVisible()
  }
  await page.goto('/clinicaltrial/AAAAAAAAAAAAAAAAAAAAAA/withdraw')
  await expect(page.getByRole('heading', { name: 'Invalid URL' })).toBeVisible()
})

test('a recruiter with a long name stays within the page’s column, even in large text', async ({ page }) => {
  const { path, recruiter } = await invitedPatient({ trial: `${'Heart'.repeat(14)}${Date.now()}` })
  await page.goto(path)
  await expect(page.getByRole('link', { name: recruiter, exact: true }).first()).toBeVisible()
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  await page.addStyleTag({ content: 'html { font-size: 32px }' })
  expect(await overflow(page)).toBeLessThanOrEqual(0)
})
