import { financials } from '@pillar/contract/financials'
import type { TargetFigure } from '@pillar/domain/target/target'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatWeekday } from '@pillar/domain/time/locale'
import { Link, useParams } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../../api/client.ts'
import { useProductName } from '../../../frame/title.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { LinkButton } from '../../../kit/display/LinkButton.tsx'
import { IfNotRefreshed, Loaded } from '../../../kit/display/Loaded.tsx'
import { Page } from '../../../kit/display/Page.tsx'
import { Crumbs } from '../../../kit/display/PageHead.tsx'
import { Tabs } from '../../../kit/display/Tabs.tsx'
import { Tag } from '../../../kit/display/Tag.tsx'
import { useListState } from '../../../kit/list/useListState.ts'
import { useCountry } from '../../../session/session.ts'
import { todayOf } from '../../../shared/today.ts'
import { TargetStrip } from '../../target/TargetStrip.tsx'
import { useTargets } from '../../target/useTargets.ts'
import { ExplainDrawer } from '../explain/ExplainDrawer.tsx'
import { type ExplainTarget, headlineTarget } from '../explain/explain-target.ts'
import { filtersOf } from '../search.ts'
import { Persistence } from '../trend/Behind.tsx'
import { DrugTypes } from './DrugTypes.tsx'
import styles from './Pharmacy.module.css'
import { PharmacyActions } from './PharmacyActions.tsx'
import { PharmacyAttention } from './PharmacyAttention.tsx'
import { PharmacyFacts } from './PharmacyFacts.tsx'
import { PharmacyHeadlines } from './PharmacyHeadlines.tsx'
import { PharmacyPicture } from './PharmacyPicture.tsx'
import { Campaigns, Patients, Uploads } from './PharmacyTabs.tsx'
import type { PharmacySearch, Tab } from './pharmacy-search.ts'
import type { PharmacyReply } from './pharmacy-words.ts'

const NOBODY: never[] = []

/** One pharmacy: how it compares with the group, what changed, what needs attention, and its tables. */
export function PharmacyPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { state, change } = useListState<PharmacySearch>()
  const country = useCountry()
  const product = useProductName()
  const [target, setTarget] = useState<ExplainTarget | null>(null)
  const today = todayOf(country)
  const { choice } = filtersOf({ period: state.period }, country, today)
  const tab = state.tab ?? 'drug-types'
  const asked = { pharmacy_id: id, ...choice }
  const read = useRead(financials.pharmacy, asked)
  const types = useRead(financials.pharmacyDrugTypes, asked)
  const { targets, failed } = useTargets(choice, id)
  const reply = read.data
  if (!reply) {
    return (
      <Page title="Pharmacy" heading={<Crumb name="Pharmacy" period={state.period} />}>
        <Loaded
          read={read}
          what="the pharmacy"
          rows={10}
          back={<LinkButton to="/financials">All pharmacies</LinkButton>}
        >
          {() => null}
        </Loaded>
      </Page>
    )
  }
  const where = { country, today, choice, product }
  return (
    <Page
      title={reply.pharmacy_name}
      heading={<Crumb name={reply.pharmacy_name} period={state.period} />}
      asAt={<DataAge reply={reply} country={country} />}
      actions={<PharmacyActions {...{ id, choice, tab, reply }} drugTypes={types.data} />}
    >
      <div className={styles.scroll}>
        <IfNotRefreshed read={read} what="the pharmacy" />
        <PharmacyFacts {...{ reply, country, today, choice, change }} />
        <PharmacyHeadlines
          {...{ reply, targets, country }}
          onExplain={(number, first) =>
            setTarget({ ...headlineTarget([number], [id], first), subject: reply.pharmacy_name })
          }
        />
        <TargetStrip
          {...{ targets, failed, country }}
          carded={reply.headlines.map(({ figure }) => figure as TargetFigure)}
        />
        <div className={styles.middle}>
          <PharmacyPicture
            {...{ id, where }}
            picture={state.picture ?? 'bridge'}
            onPicture={(picture) => change({ picture: picture === 'trend' ? 'trend' : undefined })}
          />
          <PharmacyAttention {...{ reply, country }} />
        </div>
        <Sections reply={reply} state={state} tab={tab} />
        <section className={styles.section} aria-label="Section">
          {tab === 'drug-types' ? (
            <Loaded read={types} what="the drug types" rows={8}>
              {(drugTypes) => <DrugTypes reply={drugTypes} country={country} />}
            </Loaded>
          ) : null}
          {tab === 'patients' ? <Patients {...{ reply, country }} /> : null}
          {tab === 'persistence' ? <Persistence pharmacyIds={[id]} where={where} /> : null}
          {tab === 'campaigns' ? <Campaigns {...{ reply, country }} /> : null}
          {tab === 'uploads' ? <Uploads {...{ reply, country }} /> : null}
        </section>
      </div>
      <ExplainDrawer target={target} where={where} pharmacies={NOBODY} onClose={() => setTarget(null)} />
    </Page>
  )
}

function Crumb({ name, period }: { name: string; period: PharmacySearch['period'] }) {
  return (
    <Crumbs
      up={
        <Link to="/financials" search={period === undefined ? {} : { period }}>
          Pharmacies
        </Link>
      }
    >
      {name}
    </Crumbs>
  )
}

/** Its state, and how old its data is. */
function DataAge({ reply, country }: { reply: PharmacyReply; country: Country }) {
  const to = reply.data_to === null ? null : parseDay(reply.data_to)
  const failed = reply.upload_status === 'ERROR'
  const words = to === null ? 'Never uploaded' : failed ? 'Upload failed' : reply.late ? 'Uploads late' : 'Up to date'
  return (
    <>
      <Tag tone={to === null || failed ? 'bad' : reply.late ? 'caution' : 'good'}>{words}</Tag>
      <Icon of={Clock} size={15} />
      {to === null ? 'No data yet' : `Data to ${formatWeekday(country, to)}`}
    </>
  )
}

function Sections({ reply, state, tab }: { reply: PharmacyReply; state: PharmacySearch; tab: Tab }) {
  const kept = { period: state.period, picture: state.picture }
  const search = (wanted: Tab) =>
    JSON.parse(JSON.stringify({ ...kept, ...(wanted === 'drug-types' ? {} : { tab: wanted }) })) as object
  const one = (value: Tab, label: string) => ({ label, search: search(value), on: tab === value })
  return (
    <Tabs
      label="Sections"
      tabs={[
        one('drug-types', 'Drug types'),
        one('patients', 'Patients'),
        one('persistence', 'Persistence'),
        one('campaigns', `Campaigns ${reply.campaigns.length}`),
        one('uploads', 'Uploads'),
      ]}
    />
  )
}
