import { useSearch } from '@tanstack/react-router'
import { type ComponentType, Fragment, type ReactNode } from 'react'
import { usePortalInfo } from '../../frame/title.ts'
import { fetched, fetchedPart } from '../../kit/dialog/fetched.tsx'
import { InAddress } from '../../kit/dialog/useBackCloses.ts'
import { useFind } from '../../kit/dialog/useFind.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { Tabs } from '../../kit/display/Tabs.tsx'
import styles from '../find/Find.module.css'
import { FindButton } from '../find/FindButton.tsx'
import outbox from '../mail/Outbox.module.css'
import type { SettingsSearch } from './settings-search.ts'

export interface SettingsTab {
  /** The row of tabs, which each tab shows under its header. */
  tabs: ReactNode
}

const tab = (number: number, label: string, load: () => Promise<ComponentType<SettingsTab>>) => ({
  number,
  label,
  Page: fetchedPart(load, {
    around: ({ tabs }, state) => (
      <Page title="Settings">
        {tabs}
        {state}
      </Page>
    ),
  }),
})

/** The tabs by the specification's numbers. Each is downloaded when it is first opened. */
const TABS = [
  tab(0, 'Companies', async () => (await import('../signup/CompaniesTab.tsx')).CompaniesTab),
  tab(1, 'Users', async () => (await import('../user/UsersPage.tsx')).UsersPage),
  tab(2, 'Templates', async () => (await import('../template/admin/TemplatesPage.tsx')).TemplatesPage),
  tab(3, 'Campaigns', async () => (await import('../campaign/admin/CampaignsPage.tsx')).CampaignsPage),
  tab(4, 'Faulty ETL uploads', async () => (await import('../upload/FaultyUploadsPage.tsx')).FaultyUploadsPage),
  tab(5, 'Clinical Trials', async () => (await import('../trial/ClinicalTrialsPage.tsx')).ClinicalTrialsPage),
  tab(6, 'Analytics Dashboards', async () => (await import('../dashboard/DashboardsPage.tsx')).DashboardsPage),
  tab(7, 'Sequences', async () => (await import('../sequence/SequencesPage.tsx')).SequencesPage),
  tab(8, 'Audit', async () => (await import('../audit/AuditPage.tsx')).AuditPage),
] as const

const FindDialog = fetched(async () => (await import('../find/FindDialog.tsx')).FindDialog)
const CreateAccount = fetched(async () => (await import('../account/CreateAccount.tsx')).CreateAccount)

/** Settings, for support: one tab at a time. */
export function SettingsPage() {
  const { tab: wanted, account } = useSearch({ strict: false }) as SettingsSearch
  const current = TABS.find(({ number }) => number === wanted) ?? TABS[0]
  const find = useFind(FindDialog)
  const portal = usePortalInfo().data
  const tabs = (
    <>
      <div className={styles.row}>
        <Tabs
          label="Settings"
          tabs={TABS.map(({ number, label }) => ({ label, search: { tab: number }, on: number === current.number }))}
        />
        <FindButton onOpen={find.open} />
      </div>
      {portal?.sends_email === false && !portal.outbox ? (
        <p className={outbox.banner} role="note">
          This installation has no mail server, so emails are not sent: invitations and reset links reach nobody.
        </p>
      ) : null}
    </>
  )
  return (
    <>
      <Fragment key={current.number}>
        <current.Page tabs={tabs} />
        {account === undefined ? null : (
          <InAddress value>
            <CreateAccount />
          </InAddress>
        )}
      </Fragment>
      {find.dialog}
    </>
  )
}
