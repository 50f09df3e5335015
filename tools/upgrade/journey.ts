import type { Page } from '@playwright/test'
import { codeAt } from '../../apps/server/test/authenticator.ts'
import { addPerson } from '../../e2e/support/install.ts'
import { patientLinks } from '../../e2e/support/patients.ts'
import { fillIn, PASSWORD } from '../../e2e/support/people.ts'
import { invitedPatient } from '../../e2e/support/trial.ts'

export type Step = (page: Page) => Promise<void>
/** What somebody does on pages: each step is answered by the version that did not answer the one before. */
export type Journey = () => Promise<Step[]>

const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function tick(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'I am a person' }).click()
  await seen(page, 'Checked, thank you')
}

/** Opens the path and waits for the page's heading. */
const opened =
  (path: string): Step =>
  async (page) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }

async function consent(): Promise<Step[]> {
  const { consent } = await patientLinks()
  return [
    opened(consent),
    tick,
    async (page) => {
      await press(page, 'Submit')
      await seen(page, 'Your preferences have been successfully submitted.')
    },
  ]
}

async function unsubscribing(): Promise<Step[]> {
  const { unsubscribe, optOut } = await patientLinks()
  return [
    opened(unsubscribe),
    tick,
    async (page) => {
      await press(page, 'Unsubscribe')
      await seen(page, 'You have successfully unsubscribed from email communications.')
    },
    opened(optOut),
    async (page) => {
      await press(page, 'Unsubscribe')
      await seen(page, 'You have successfully unsubscribed from SMS communications.')
    },
  ]
}

async function trial(): Promise<Step[]> {
  const { path, trial } = await invitedPatient({ trial: `Heart ${crypto.randomUUID()}` })
  return [
    opened(path),
    async (page) => {
      await page.getByLabel('Postcode').fill('2500')
      await tick(page)
    },
    async (page) => {
      await press(page, 'Sign Up Now')
      await page.locator('a.keep').waitFor()
    },
    async (page) => {
      await page.goto(new URL((await page.locator('a.keep').getAttribute('href')) ?? '').pathname)
      await seen(page, `Withdraw from the ${trial} study`)
      await tick(page)
    },
    async (page) => {
      await press(page, 'Withdraw')
      await seen(page, `You have withdrawn from the ${trial} study.`)
    },
  ]
}

const password: Journey = async () => [
  opened('/login'),
  async (page) => {
    await fillIn(page, 'headoffice', PASSWORD)
    await page.waitForURL(/financials/)
    await page.getByRole('heading', { name: 'Financials' }).first().waitFor()
  },
]

/** Somebody in a company outside the demo network, where support needs a second factor. */
async function stranger(may: 'sr_login' | 'data_analytics'): Promise<string> {
  const name = `beside-${crypto.randomUUID().slice(0, 8)}`
  await addPerson(`Company of ${name}`, 'AU', name, false, [may])
  return name
}

const signIn =
  (name: string): Step =>
  async (page) => {
    await page.context().clearCookies()
    await page.goto('/login')
    await fillIn(page, name, PASSWORD)
    await page.waitForURL((url) => url.pathname !== '/login')
  }

async function secondFactor(): Promise<Step[]> {
  const name = await stranger('sr_login')
  let secret = ''
  const enter = (page: Page, early: number) =>
    page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now() / 1000 + early))
  return [
    signIn(name),
    async (page) => {
      await press(page, 'Set up')
      await page.getByRole('img', { name: 'QR code' }).waitFor()
      secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
    },
    async (page) => {
      await enter(page, 0)
      await press(page, 'Switch it on')
      await page.getByRole('checkbox').check()
    },
    signIn(name),
    async (page) => {
      // The code it was switched on with is used up.
      await enter(page, 30)
      await press(page, 'Continue')
      await page.waitForURL(/settings/)
    },
  ]
}

async function passkey(): Promise<Step[]> {
  const name = await stranger('data_analytics')
  return [
    async (page) => {
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('WebAuthn.enable')
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
      })
      await signIn(name)(page)
      await page.goto('/second-factor')
      await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
    },
    async (page) => {
      await press(page, 'Add a passkey')
      await page.getByLabel('Name').fill('Laptop')
      await press(page, 'Add the passkey')
      await page.getByRole('checkbox').check()
    },
    signIn(name),
    async (page) => {
      await press(page, 'Use a passkey')
      await page.waitForURL((url) => url.pathname !== '/second-factor')
    },
  ]
}

const boards: Journey = async () => {
  const board = (page: Page) => page.frameLocator('iframe')
  return [
    async (page) => {
      await signIn('supplier')(page)
      await page.goto('/analytics')
      // It is published some time after the first start.
      const heading = board(page).getByRole('heading', { level: 2 }).nth(1)
      for (let tries = 1; !(await heading.isVisible()); tries++) {
        if (tries > 8) throw new Error('No board is published.')
        await page.reload()
        await heading.waitFor({ timeout: 8_000 }).catch(() => {})
      }
    },
    async (page) => {
      const types = board(page).getByLabel('Drug type', { exact: true })
      const second = String(await types.locator('option').nth(1).textContent())
      await types.selectOption(second)
      await board(page).getByText(`Our share of ${second} scripts`).waitFor()
    },
  ]
}

const UPGRADING = 'Pillar is being upgraded'

/** A screen of the portal by its link; an answer that the page cannot use counts if the page says so. */
const screen =
  (name: string, heading = name): Step =>
  async (page) => {
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.getByRole('heading', { name: heading, exact: true }).or(page.getByText(UPGRADING)).first().waitFor()
  }

const portal: Journey = async () => [
  async (page) => {
    await signIn('headoffice')(page)
    await page.getByRole('heading', { name: 'Financials' }).first().waitFor()
  },
  screen('Campaigns and Marketing', 'Campaigns'),
  screen('Financials'),
  // Last: until its agreement is accepted, that covers the rail.
  screen('Sixty Day Dispensing'),
]

async function calculator(): Promise<Step[]> {
  const name = `wren${crypto.randomUUID().slice(0, 8)}`
  return [
    async (page) => {
      await opened('/calculator')(page)
      const values = {
        ...{ 'First name': 'Robin', 'Last name': 'Wren', Username: name, 'Pharmacy name': `Pharmacy ${name}` },
        ...{ 'Pharmacy phone': '03 5550 1234', 'Street address': '12 Sturt Street' },
      }
      for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value)
      await page.getByLabel('Email', { exact: true }).fill(`${name}@mail.example`)
      await page.getByLabel('Dispensing software').selectOption('Minfos')
    },
    async (page) => {
      const search = page.getByRole('combobox', { name: 'Find your suburb or postcode' })
      await search.fill('ballarat 335')
      await page.getByRole('listbox', { name: 'Addresses' }).getByRole('option').first().waitFor()
      await search.press('ArrowDown')
      await search.press('Enter')
      await page.getByLabel(/I have read and agree/).check()
      await tick(page)
    },
    async (page) => {
      await press(page, 'Sign Up')
      await page.getByRole('link', { name: 'Return Home' }).waitFor()
    },
  ]
}

/** Its page loads what speaks to the device only once it is needed, by then from the other version. */
export const PASSKEY = 'a passkey'

export const JOURNEYS: Record<string, Journey> = {
  'a consent form': consent,
  'unsubscribing by email and text': unsubscribing,
  'signing up for a trial, and withdrawing': trial,
  'signing in with a password': password,
  'a second factor': secondFactor,
  [PASSKEY]: passkey,
  'a board': boards,
  'the portal’s screens': portal,
  'the sign-up for the calculator': calculator,
}

/** Every kind of page outside the portal, opened while each of the versions may answer any request. */
export const loading: Journey = async () => {
  const { consent, unsubscribe } = await patientLinks()
  return [consent, unsubscribe, '/login', '/calculator'].map(opened)
}
