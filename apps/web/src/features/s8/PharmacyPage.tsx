import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Contact } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { PharmacyLink } from '../../frame/PharmacyLink.tsx'
import { momentIn } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { LinkButton } from '../../kit/display/LinkButton.tsx'
import { IfNotRefreshed, Loaded } from '../../kit/display/Loaded.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { AsAt, Crumbs } from '../../kit/display/PageHead.tsx'
import { Segments } from '../../kit/form/Segments.tsx'
import { useCountry } from '../../session/session.ts'
import { ContactDialog } from './ContactDialog.tsx'
import { DrugRegister } from './DrugRegister.tsx'
import { RegisterBar } from './RegisterBar.tsx'
import type { RegisterFrame } from './register-frame.ts'
import { StockRegister } from './StockRegister.tsx'
import type { S8Search } from './s8-search.ts'

const VIEWS = [
  { value: 'stock', label: 'Stock Register' },
  { value: 'drug', label: 'Drug Register' },
] as const

/** One pharmacy: its stock register or its drug register, and the person to call. */
export function PharmacyPage({ pharmacy }: { pharmacy: string }) {
  const country = useCountry()
  const navigate = useNavigate()
  const { view } = useSearch({ strict: false }) as S8Search
  const [contact, setContact] = useState(false)
  const [switched, setSwitched] = useState(false)
  const read = useRead(contract.s8.info, { location_uuid: pharmacy })
  const info = read.data
  const name = info?.location.name ?? 'Pharmacy'
  const frame: RegisterFrame = {
    title: `S8 Management: ${name}`,
    heading: (
      <Crumbs
        up={
          <Link to="." search={{} as never}>
            S8 Management
          </Link>
        }
      >
        <PharmacyLink id={pharmacy} name={name} />
      </Crumbs>
    ),
    tabs: (
      <>
        <IfNotRefreshed read={read} what="this pharmacy" />
        {info ? <RegisterBar info={info} /> : null}
      </>
    ),
    asAt: info ? (
      <AsAt
        texts={[
          info.upload_time
            ? `Uploaded ${momentIn(country, info.location.time_zone, info.upload_time)}`
            : 'No register uploaded yet',
        ]}
      />
    ) : null,
    actions: (
      <>
        <Segments
          label="Register"
          options={VIEWS}
          value={view === 'drug' ? 'drug' : 'stock'}
          takesFocus={switched}
          onChange={(next) => {
            setSwitched(true)
            void navigate({ to: '.', search: { pharmacy, ...(next === 'drug' ? { view: 'drug' } : {}) } as never })
          }}
        />
        <Button leftSection={<Icon of={Contact} />} disabled={!info} onClick={() => setContact(true)}>
          Contact
        </Button>
      </>
    ),
  }
  if (read.error && !info) {
    return (
      <Page title="S8 Management">
        <Loaded read={read} what="this pharmacy" back={<LinkButton to="/s8management">All pharmacies</LinkButton>}>
          {() => null}
        </Loaded>
      </Page>
    )
  }
  return (
    <>
      {view === 'drug' ? (
        <DrugRegister pharmacy={pharmacy} info={info} frame={frame} />
      ) : (
        <StockRegister pharmacy={pharmacy} frame={frame} />
      )}
      {contact && info ? <ContactDialog info={info} onClose={() => setContact(false)} /> : null}
    </>
  )
}
