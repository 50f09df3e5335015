import { expect, type Page, test } from '@playwright/test'
import { expectDialog, expectScreen, type Press, still, type Way } from '../support/matrix.ts'
import { open } from '../support/people.ts'

/** A button at the top of a screen, or in one of its regions; or a row's act, which is a button or a menu item. */
const top = (button: string | RegExp, region?: string): Press => ({ button, ...(region ? { in: region } : {}) })
const menu = (item: string | RegExp, region?: string): Press => ({ ...top(/^More about /, region), item })
const detail = async (page: Page, region?: string) => {
  const part = region ? page.getByRole('region', { name: region, exact: true }).first() : page
  await part
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click()
}

interface Screen {
  search: string
  /** Opens a row before the screen is checked. */
  opened?: (page: Page) => Promise<void>
  dialogs?: readonly Way[]
}

const SALTBUSH = 'find=saltbush'
const PHARMACY = (label: string): Press => menu(label, 'Pharmacies')

const SCREENS: Record<string, Screen> = {
  Companies: {
    search: SALTBUSH,
    dialogs: [
      ['Find', top(/^Find Ctrl/)],
      ['Create company', top('Create Company')],
      ['Edit company', top(/^Edit Saltbush/)],
      ['sending rules of a company', menu('Sending rules')],
      ['removing a company', menu('Remove')],
    ],
  },
  'Message Info': {
    search: SALTBUSH,
    dialogs: [
      ['Message Info', top('Message Info')],
      ['why messages are read', top('Message Info'), top(/^Read the messages/)],
      ['Create Account', top('Create Account')],
    ],
  },
  'an opened company': {
    search: SALTBUSH,
    opened: (page) => detail(page),
    dialogs: [
      ['Create pharmacy', top('Create Pharmacy', 'Pharmacies')],
      ['Import pharmacy', top(/^Import Pharmacy/, 'Pharmacies')],
      ['Edit pharmacy', top(/^Edit /, 'Pharmacies')],
      ['Add user', top('Add User', 'Users')],
      ['Upload History', PHARMACY('Pharmacy Upload History')],
    ],
  },
  'what can be done about a pharmacy': {
    search: SALTBUSH,
    opened: (page) => detail(page),
    dialogs: [
      ['sending rules of a pharmacy', PHARMACY('Sending rules')],
      ['Message History Report', PHARMACY('Message History Report')],
      ['60 Day Dispensing Report', PHARMACY('60 Day Dispensing Report')],
      ['Fake Patients', PHARMACY('Fake Patients')],
      ['Consent on a day', PHARMACY('Consent on a day')],
      ['Erase a patient', PHARMACY('Erase a patient')],
      ['a fake patient', PHARMACY('Fake Patients'), top('Add fake patient')],
      ['a number of one’s own', PHARMACY('Fake Patients'), top('Confirm a number or address')],
    ],
  },
  'an opened pharmacy': {
    search: SALTBUSH,
    opened: async (page) => {
      await detail(page)
      await detail(page, 'Pharmacies')
    },
    dialogs: [
      ['replacing a key', top('Replace key')],
      ['showing a key', top(/^Show /, 'Upload keys')],
      ['Add module', top(/^Add a module/)],
    ],
  },
  Users: {
    search: 'tab=1&find=headoffice',
    opened: (page) => detail(page),
    dialogs: [
      ['Create user', top('Create User')],
      ['Edit user', top(/^Edit /)],
      ['Link Location', top('Link Location')],
      ['Reset second factor', menu('Reset second factor')],
      ['disabling a user', menu('Disable')],
    ],
  },
  'recommended templates': {
    search: 'tab=2',
    dialogs: [
      ['Create recommended template', top('Create Recommended Template')],
      ['Edit recommended template', top(/^Edit /)],
    ],
  },
  'company templates': {
    search: 'tab=2&list=company&find=script',
    dialogs: [
      ['Create company template', top('Create Company Template')],
      ['Edit company template', top(/^Edit /)],
      ['deactivating a template', menu(/^(A|Dea)ctivate$/)],
    ],
  },
  'global templates': {
    search: 'tab=2&list=global',
    dialogs: [['Create global template', top('Create Global Template')]],
  },
  'recommended campaigns': {
    search: 'tab=3',
    dialogs: [
      ['Create recommended campaign', top('Create Recommended Campaign')],
      ['Edit recommended campaign', top(/^Edit /)],
    ],
  },
  'company campaigns': {
    search: 'tab=3&list=company&find=demo',
    dialogs: [
      ['Create campaign', top('Create Campaign')],
      ['what a campaign sent', menu('Message info')],
    ],
  },
  'faulty uploads': {
    search: 'tab=4&find=saltbush',
    dialogs: [
      ['assign, note or snooze', menu('Assign, note or snooze')],
      ['uploads of a faulty pharmacy', top(/^Pharmacy Upload History/)],
    ],
  },
  'clinical trials': {
    search: 'tab=5&find=heart',
    opened: (page) => detail(page),
    dialogs: [
      ['Create trial', top('Create Trial')],
      ['Edit trial', top(/^Edit /)],
      ['a consent form', menu(/consent form$/)],
      ['Record ethics approval', menu('Record ethics approval')],
      ['switching a trial', menu(/^(A|Dea)ctivate$/)],
      ['the consent form as a patient sees it', top('See it as a patient')],
    ],
  },
  recruiters: {
    search: 'tab=5&list=recruiters',
    dialogs: [
      ['Create recruiter', top('Create Recruiter / Provider')],
      ['Edit recruiter', top(/^Edit /)],
    ],
  },
  dashboards: {
    search: 'tab=6',
    dialogs: [
      ['Create dashboard', top('Create Dashboard')],
      ['Edit dashboard', top(/^Edit /)],
      ['removing a dashboard', menu('Remove')],
    ],
  },
  'recommended sequences': {
    search: 'tab=7',
    dialogs: [
      ['Create recommended sequence', top('Create Recommended Sequence')],
      ['Edit recommended sequence', top(/^Edit /)],
    ],
  },
  'a pharmacy’s sequence': {
    search: 'tab=7&list=pharmacy&find=saltbush',
    dialogs: [
      ['Create sequence', top('Create Pharmacy Sequence')],
      ['Edit sequence', top(/^Edit (?!follow)/, 'Sequence')],
      ['what a sequence sent', top('Message Info', 'Sequence')],
      ['removing a sequence', menu('Remove', 'Sequence')],
    ],
  },
  'sequence events': { search: 'tab=7&list=events', dialogs: [['Create event', top('Create Event')]] },
  audit: { search: 'tab=8&act=change&find=saltbush' },
}

test.setTimeout(180_000)

for (const [state, { search, opened, dialogs = [] }] of Object.entries(SCREENS)) {
  test(`${state}: both themes, 320 px and the keyboard`, async ({ page }) => {
    await open(page, `/settings?${search}`, 'support')
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await still(page)
    await opened?.(page)
    await expectScreen(page, state)
    for (const way of dialogs) await expectDialog(page, way)
  })
}

test('second factor: both themes, 320 px and the keyboard', async ({ page }) => {
  await open(page, '/second-factor', 'support')
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
  await expectScreen(page, 'second factor')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Add a passkey' })).toBeVisible()
  await expectScreen(page, 'a passkey')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Set up' }).click()
  // The password is asked for only if it was entered some minutes ago.
  await expect(page.getByRole('heading', { name: /^(Authenticator app|Your password, please)$/ })).toBeVisible()
  await expectScreen(page, 'an authenticator app')
})
