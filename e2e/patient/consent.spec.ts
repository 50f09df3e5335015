import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { patientLinks } from '../support/patients.ts'

test.use({ viewport: { width: 390, height: 844 } })

const DONE = 'Your preferences have been successfully submitted. Thank you for your time.'
const DEAD = 'Consent form is invalid / already submitted'
const GONE =
  "Thank you for updating your preferences. You have successfully unsubscribed from email communications. We're sorry to see you go."

const person = (page: Page) => page.getByRole('checkbox', { name: 'I am a person' })
const toggle = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

async function tick(page: Page): Promise<void> {
  await person(page).click()
  await expect(page.getByText('Checked, thank you')).toBeVisible()
}

async function expectNoSerious(page: Page, state: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze()
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
  expect.soft(serious, state).toEqual([])
}

test('with text at twice the size no word is broken and nothing is cut off', async ({ page }) => {
  const links = await patientLinks()
  for (const path of [links.consent, links.unsubscribe, '/calculator']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await page.addStyleTag({ content: 'html { font-size: 32px }' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
    const broken = await page.locator('.choice .grow').evaluateAll((all) =>
      all.flatMap((one) => {
        const { lineHeight } = getComputedStyle(one)
        const lines = Math.round(one.getBoundingClientRect().height / Number.parseFloat(lineHeight))
        return lines > (one.textContent ?? '').split(' ').length ? [one.textContent] : []
      }),
    )
    expect(broken, path).toEqual([])
  }
})

test('a patient chooses what to get, once', { tag: '@main' }, async ({ page }) => {
  const links = await patientLinks()
  await page.goto(links.consent)
  await expect(page.getByRole('heading', { name: 'Choose what we send you, Margaret' })).toBeVisible()
  await expect(page).toHaveTitle('Communication Consent - Pillar')
  await expect(page.getByText(links.pharmacy, { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: '(02) 5550 4471' })).toHaveAttribute('href', 'tel:0255504471')
  await expect(page.getByText('Wollongong NSW 2500')).toBeVisible()
  await expect(page.getByLabel('Phone', { exact: true })).toHaveValue(/^04\d\d \d{3} \d{3}$/)

  for (const name of ['SMS Health Outreach', 'Email Health Outreach']) await expect(toggle(page, name)).toBeChecked()
  for (const name of ['SMS Marketing', 'Email Marketing']) await expect(toggle(page, name)).not.toBeChecked()
  await page.getByText('What is Marketing?').click()
  await expect(page.getByText(/^Messages about products, offers and events/)).toBeVisible()
  await expect(page.getByLabel('Phone')).toBeDisabled()
  await expect(page.getByLabel('Email', { exact: true })).toBeDisabled()

  const submit = page.getByRole('button', { name: 'Submit' })
  await expect(submit).toBeDisabled()
  await expect(submit).toHaveAccessibleDescription('Tick “I am a person” to submit.')
  await submit.click({ force: true })
  expect(await links.consentRow()).toBeUndefined()

  await toggle(page, 'Email Health Outreach').click()
  await toggle(page, 'SMS Marketing').click()
  await tick(page)
  await expect(submit).toBeEnabled()
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/submit')) sent++
  })
  await submit.dblclick()
  await expect(page.getByText(DONE)).toBeVisible()
  await expect(page.getByRole('status')).toBeFocused()
  const chosen = ['SMS Health Outreach: Yes', 'Email Health Outreach: No', 'SMS Marketing: Yes', 'Email Marketing: No']
  await expect(page.getByRole('listitem')).toHaveText(chosen)
  expect(sent).toBe(1)
  expect(await links.consentRow()).toEqual({
    sms_health_outreach: 'in',
    sms_marketing: 'in',
    email_health_outreach: 'out',
    email_marketing: 'out',
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: DEAD })).toBeVisible()
  await expect(page.getByRole('switch')).toHaveCount(0)
})

test('the form works by keyboard alone, and has only the kinds that apply', async ({ page }) => {
  const links = await patientLinks({ kinds: { health_outreach: false, marketing: true } })
  await page.goto(links.consent)
  await expect(toggle(page, 'SMS Marketing')).toBeVisible()
  await expect(page.getByRole('switch')).toHaveCount(2)
  await expect(page.getByText('What is Health Outreach?')).toHaveCount(0)
  await toggle(page, 'Email Marketing').focus()
  await page.keyboard.press('Space')
  await expect(toggle(page, 'Email Marketing')).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(person(page)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByText('Checked, thank you')).toBeVisible()
  await expect(person(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Submit' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(DONE)).toBeVisible()
  expect(await links.consentRow()).toMatchObject({ email_marketing: 'in', sms_health_outreach: 'unknown' })
})

test('a refusal is shown in place, the form stays, and the tick is cleared and made anew', async ({ page }) => {
  const links = await patientLinks()
  await page.goto(links.consent)
  await toggle(page, 'SMS Marketing').click()
  await tick(page)
  const challenges = new Set<string>()
  page.on('request', (request) => {
    if (!request.url().endsWith('/submit')) return
    challenges.add(JSON.parse(atob(request.postDataJSON().captcha)).challenge.signature)
  })
  const refusal = { code: 'unavailable', message: 'The server is being looked after. Please try again.' }
  await page.route('**/submit', (route) => route.fulfill({ status: 503, json: refusal }), { times: 1 })
  const submit = page.getByRole('button', { name: 'Submit' })
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText(refusal.message)
  await expect(toggle(page, 'SMS Marketing')).toBeChecked()
  await expect(person(page)).not.toBeChecked()
  await expect(submit).toBeDisabled()
  await tick(page)
  await submit.click()
  await expect(page.getByText(DONE)).toBeVisible()
  // Each challenge works only once.
  expect(challenges.size).toBe(2)
})

test('a form that was submitted elsewhere disappears, and the page says why', async ({ page, context }) => {
  const links = await patientLinks()
  const other = await context.newPage()
  for (const one of [page, other]) {
    await one.goto(links.consent)
    await tick(one)
  }
  await other.getByRole('button', { name: 'Submit' }).click()
  await expect(other.getByText(DONE)).toBeVisible()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('heading', { name: DEAD })).toBeVisible()
  await expect(page.getByRole('status')).toBeFocused()
  await expect(page.getByText('If you have already answered, there is nothing more to do.')).toBeVisible()
  await expect(page.getByRole('switch')).toHaveCount(0)
})

test('text grows with the browser’s font size, and nothing scrolls sideways', async ({ page }) => {
  const links = await patientLinks({ first_name: 'Maximiliana-Alexandrina-Wolfeschlegelstein' })
  for (const path of [links.consent, links.unsubscribe]) {
    await page.goto(path)
    await expect(person(page)).toBeVisible()
    await page.addStyleTag({ content: 'html { font-size: 32px }' })
    await expect(page.locator('main p').first()).toHaveCSS('font-size', '36px')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  }
})

test('a tick that expires is cleared, also for a visitor whose clock is hours ahead', async ({ page }) => {
  const links = await patientLinks()
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 })
  await page.goto(links.consent)
  await tick(page)
  await page.clock.fastForward('20:00')
  await expect(person(page)).not.toBeChecked()
  await expect(page.getByText('Your tick ran out. Please tick again.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Submit' })).toBeDisabled()
})

test('a server that does not answer is not shown as an invalid link', async ({ page }) => {
  const links = await patientLinks()
  await page.route('**/api/communication-consent/**', (route) => route.abort(), { times: 1 })
  await page.goto(links.consent)
  await expect(page.getByRole('heading', { name: 'The form could not be loaded' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: /Choose what we send you/ })).toBeVisible()
})

test('a patient unsubscribes from a pharmacy’s email', { tag: '@main' }, async ({ page }) => {
  const links = await patientLinks()
  await page.goto(links.unsubscribe)
  await expect(page.getByRole('heading', { name: 'Unsubscribe from Pharmacy Email Communications' })).toBeVisible()
  await expect(page).toHaveTitle('Unsubscribe - Pillar')
  for (const what of ['prescription reminders', 'clinical trial invitations', 'marketing promotions']) {
    await expect(page.getByRole('listitem').filter({ hasText: what })).toBeVisible()
  }
  const button = page.getByRole('button', { name: 'Unsubscribe' })
  await expect(button).toBeDisabled()
  await expect(page.getByText("This takes effect at once. You'll still get texts.")).toBeVisible()
  await tick(page)
  await button.click()
  await expect(page.getByText(GONE)).toBeVisible()
  await expect(page.getByText('If you would like email again later')).toBeVisible()
  expect(await links.consentRow()).toMatchObject({ email_health_outreach: 'out', email_marketing: 'out' })
  await page.reload()
  await expect(page.getByText('You have already unsubscribed from email communications.')).toBeVisible()
  await page.goto('/unsubscribe/1.1.nothing')
  await expect(page.getByRole('heading', { name: 'Invalid URL' })).toBeVisible()
})

test('if the check does not work, unsubscribing stays possible', async ({ page }) => {
  const links = await patientLinks()
  await page.route('**/api/captcha-challenge', (route) => route.abort())
  await page.goto(links.unsubscribe)
  await person(page).click()
  await expect(page.getByText('You can unsubscribe without the check.')).toBeVisible()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByText(GONE)).toBeVisible()
})

test('the country of the pharmacy decides the privacy policy and the language', async ({ page }) => {
  const links = await patientLinks({ country: 'GB', mobile: null })
  await page.goto(`/en_gb${links.consent}`)
  await expect(page.getByRole('link', { name: 'Privacy policy' })).toHaveAttribute('href', /en_gb\/privacy$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-GB')
  await expect(page.getByText('Wollongong 2500')).toBeVisible()
  await expect(page.getByLabel('Phone')).toHaveAttribute('placeholder', 'Not on record')
  const home = await patientLinks()
  await page.goto(home.unsubscribe)
  await expect(page.getByRole('link', { name: 'Privacy policy' })).toHaveAttribute(
    'href',
    'https://pillar.example/privacy',
  )
})

test('names are text, whatever they contain', async ({ page }) => {
  const markup = '<img src=x onerror=alert(1)>"><script>alert(2)</script>{{7*7}}'
  const links = await patientLinks({ pharmacy: markup, first_name: `Ines ${markup}` })
  let dialogs = 0
  page.on('dialog', (dialog) => {
    dialogs++
    void dialog.dismiss()
  })
  await page.goto(links.consent)
  await expect(page.getByRole('heading', { name: 'Choose what we send you, Ines', exact: true })).toBeVisible()
  await expect(page.getByText(markup).first()).toBeVisible()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(dialogs).toBe(0)
})

test('a download link that does not work says what to do', async ({ page }) => {
  await page.goto('/download-file/nothing')
  await page.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByRole('heading')).toHaveText(/Return to Pillar to (create a new link|try again)\.$/)
  await expect(page).toHaveTitle('Download File - Pillar')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, { tag: colorScheme === 'light' ? '@main' : [] }, () => {
    test.use({ colorScheme })
    test('axe finds nothing serious, nothing scrolls sideways, targets are large', async ({ page }) => {
      test.slow()
      const links = await patientLinks()
      await page.goto(links.consent)
      await expect(toggle(page, 'SMS Marketing')).toBeVisible()
      await page.getByText('What is Health Outreach?').click()
      await expectNoSerious(page, 'consent')
      await tick(page)
      await expectNoSerious(page, 'consent, ticked')
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('a, button, summary, label')]
          .map((element) => ({ text: element.textContent, height: element.getBoundingClientRect().height }))
          .filter(({ height }) => height < 44),
      )
      expect(small).toEqual([])
      await page.goto(links.unsubscribe)
      await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible()
      await expectNoSerious(page, 'unsubscribe')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await tick(page)
      await page.getByRole('button', { name: 'Unsubscribe' }).click()
      await expect(page.getByText(GONE)).toBeVisible()
      await expectNoSerious(page, 'unsubscribed')
      await page.goto(links.optOut)
      await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible()
      await expectNoSerious(page, 'opt out of texts')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await page.goto('/consent/nothing')
      await expect(page.getByRole('heading', { name: DEAD })).toBeVisible()
      await expectNoSerious(page, 'invalid')
    })
  })
}
