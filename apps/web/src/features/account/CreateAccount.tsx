import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Company } from '@pillar/contract/company/company-admin'
import { counted } from '@pillar/domain/text/sentence'
import { useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Steps } from '../../kit/display/Steps.tsx'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { useSession } from '../../session/session.ts'
import { PharmacyTable } from '../company/pharmacy/PharmacyTable.tsx'
import { CompanyUsers } from '../user/CompanyUsers.tsx'
import { forgetDraft } from './account-draft.ts'
import { CompanyStep } from './CompanyStep.tsx'
import { LinkUsers } from './LinkUsers.tsx'
import { NeedsCompany } from './NeedsCompany.tsx'
import { Onboarding } from './Onboarding.tsx'
import { type AccountStep, useAccount } from './useAccount.ts'

/**
 * Leads support from a new customer's company to the welcome emails. Company and step are in the address, and selections stay in the tab until
 * Done, so a reload or a step back loses nothing.
 */
export function CreateAccount() {
  const { account, step, go } = useAccount()
  const uuid = account === undefined || account === 'new' ? null : account
  const read = useRead(contract.company.info, { id: uuid ?? '' }, { enabled: uuid !== null })
  const company = uuid === null ? null : (read.data ?? null)
  const { username } = useSession()
  const close = () => go({ account: undefined, step: undefined })
  const finish = () => {
    if (uuid !== null) forgetDraft({ username, company: uuid })
    close()
  }
  return (
    <Dialog
      opened
      size="M"
      title={company ? `Create Account: ${company.name}` : 'Create Account'}
      onClose={close}
      foot={
        <Button variant="filled" onClick={finish}>
          Done
        </Button>
      }
    >
      {uuid !== null && read.error ? (
        <Failed title="Could not load the company" error={read.error} onRetry={() => void read.refetch()} />
      ) : uuid !== null && !company ? (
        <Loading />
      ) : (
        // Another company is another account, so selections do not carry over.
        <AccountSteps key={uuid} company={company} step={step ?? 'company'} onStep={(next) => go({ step: next })} />
      )}
    </Dialog>
  )
}

interface AccountStepsProps {
  company: Company | null
  step: AccountStep
  onStep: (step: AccountStep | undefined) => void
}

function AccountSteps({ company, step, onStep }: AccountStepsProps) {
  const { go } = useAccount()
  const has = useProgress(company)
  return (
    <Steps
      open={step}
      onOpen={(name) => onStep(name ?? undefined)}
      steps={[
        {
          ...{ name: 'company', title: 'Company', note: company?.name, done: company !== null },
          content: <CompanyStep company={company} onSelect={(account) => go({ account, step: 'users' })} />,
        },
        {
          ...{ name: 'users', title: 'Users', note: has.users.words, done: has.users.some },
          content: company ? <CompanyUsers company={company} add="Create User" /> : <NeedsCompany act="Create User" />,
        },
        {
          ...{ name: 'locations', title: 'Locations', note: has.locations.words, done: has.locations.some },
          content: company ? <PharmacyTable company={company} /> : <NeedsCompany act="Create Pharmacy" />,
        },
        {
          ...{ name: 'links', title: 'Link Users', note: has.links.words, done: has.links.some },
          content: company ? <LinkUsers company={company} /> : <NeedsCompany act="Link" />,
        },
        {
          ...{ name: 'onboarding', title: 'Onboarding', note: has.onboarding.words, done: has.onboarding.some },
          content: company ? <Onboarding company={company} /> : <NeedsCompany act="Send welcome emails" />,
        },
      ]}
    />
  )
}

/** What the company has so far, for the steps' notes and ticks. */
function useProgress(company: Company | null) {
  const id = company?.uuid ?? ''
  const enabled = company !== null
  const users = useRead(contract.company.users, { id }, { enabled }).data?.data
  const locations = useRead(contract.company.locations, { id }, { enabled }).data?.data
  const links = useRead(contract.company.loginLocations, { id }, { enabled }).data?.data
  const sent = useRead(contract.userLink.notifications, { id }, { enabled }).data?.data
  const linked = links?.reduce((sum, login) => sum + login.locations.length, 0)
  const unsent = sent?.filter((one) => one.created_at === null).length
  return {
    users: progress(users?.length, 'user', 'users'),
    locations: progress(locations?.length, 'pharmacy', 'pharmacies'),
    links: progress(linked, 'link', 'links'),
    onboarding: { words: unsent ? `${unsent} not sent` : undefined, some: (sent?.length ?? 0) > 0 && unsent === 0 },
  }
}

const progress = (count: number | undefined, one: string, many: string) => ({
  words: count === undefined ? undefined : counted(count, one, many),
  some: (count ?? 0) > 0,
})
