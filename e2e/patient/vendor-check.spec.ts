import { expect, type Page, test } from '@playwright/test'
import { patientLinks } from '../support/patients.ts'

// This server's policy forbids the vendor's host, which only an installation that chose it allows.
test.use({ bypassCSP: true })

/** hCaptcha's interface, as its documentation has it: a ticked box stays ticked until it is reset, and each tick has another solution. */
const WIDGET = `
  window.hcaptcha = {
    render(place, options) {
      const label = place.appendChild(document.createElement('label'))
      const box = label.appendChild(document.createElement('input'))
      box.type = 'checkbox'
      label.append('I am human')
      let times = 0
      box.addEventListener('click', (event) => {
        if (!box.checked) return event.preventDefault()
        options.callback('solution ' + ++times)
      })
      this.reset = () => { box.checked = false }
      this.expire = () => {
        box.checked = false
        options['expired-callback']()
      }
      return '0'
    },
    remove() {},
  }`

async function chooseVendor(page: Page): Promise<void> {
  await page.route('https://js.hcaptcha.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: WIDGET }),
  )
  await page.route('**/api/captcha-challenge', (route) =>
    route.fulfill({ json: { vendor: 'hcaptcha', site_key: 'key', challenge: null } }),
  )
}

test('a vendor’s box that was ticked for a refused form can be ticked again', async ({ page }) => {
  const links = await patientLinks()
  await chooseVendor(page)
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/submit')) sent.push(request.postDataJSON().captcha)
  })
  await page.goto(links.consent)
  const box = page.getByRole('checkbox', { name: 'I am human' })
  const submit = page.getByRole('button', { name: 'Submit' })
  for (const solution of ['solution 1', 'solution 2']) {
    await box.click()
    await expect(submit).toBeEnabled()
    await submit.click()
    await expect(page.getByRole('alert')).not.toBeEmpty()
    await expect(box).not.toBeChecked()
    await expect(submit).toBeDisabled()
    expect(sent.at(-1)).toBe(solution)
  }
})

test('a vendor’s tick that expires before the form is sent has to be made again', async ({ page }) => {
  const links = await patientLinks()
  await chooseVendor(page)
  await page.goto(links.consent)
  const box = page.getByRole('checkbox', { name: 'I am human' })
  const submit = page.getByRole('button', { name: 'Submit' })
  await box.click()
  await expect(submit).toBeEnabled()
  await page.evaluate('window.hcaptcha.expire()')
  await expect(submit).toBeDisabled()
  await box.click()
  await expect(submit).toBeEnabled()
  const sent = page.waitForRequest((request) => request.url().endsWith('/submit'))
  await submit.click()
  expect((await sent).postDataJSON().captcha).toBe('solution 2')
})

test('without a check nobody agrees by pressing a button alone, as a mail scanner does, and leaving needs no tick', async ({
  page,
}) => {
  const links = await patientLinks()
  await page.route('**/api/captcha-challenge', (route) =>
    route.fulfill({ json: { vendor: 'none', site_key: null, challenge: null } }),
  )
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await page.goto(links.consent)
  const submit = page.getByRole('button', { name: 'Submit' })
  await submit.click({ force: true })
  await page.evaluate(() => document.querySelector('form')?.requestSubmit())
  await expect(page.getByRole('checkbox', { name: 'I am a person' })).toBeFocused()
  expect(sent.filter((path) => path.endsWith('/submit'))).toEqual([])
  await page.keyboard.press('Space')
  await expect(submit).toBeEnabled()
  await page.goto(links.unsubscribe)
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeEnabled()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})
