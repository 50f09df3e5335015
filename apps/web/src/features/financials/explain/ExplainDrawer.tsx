import { Drawer } from '@mantine/core'
import type { Pharmacy } from '@pillar/contract/financials'
import { useState } from 'react'
import { fetchedPart } from '../../../kit/dialog/fetched.tsx'
import { useOpener } from '../../../kit/dialog/focus/useOpener.ts'
import { useBackCloses } from '../../../kit/dialog/useBackCloses.ts'
import { NothingYet } from '../../../kit/display/states.tsx'
import { Segments } from '../../../kit/form/Segments.tsx'
import { whoseTargets } from '../../target/useTargets.ts'
import { PharmacyFacts } from '../table/PharmacyFacts.tsx'
import { trendOf } from '../trend/trend-model.ts'
import styles from './Explain.module.css'
import { Explanation } from './Explanation.tsx'
import type { Where } from './explain-target.ts'
import { type ExplainTarget, HEADLINE_NAMES, hasPatients } from './explain-target.ts'
import { PatientsTab } from './PatientsTab.tsx'

interface ExplainDrawerProps {
  /** What to explain; null while closed. The last one stays while the drawer slides away. */
  target: ExplainTarget | null
  where: Where
  pharmacies: readonly Pharmacy[]
  onClose: () => void
}

/** Downloaded with the first trend, so that the table need not wait for charts. */
const Trend = fetchedPart(async () => (await import('../trend/Trend.tsx')).Trend)

type Tab = 'trend' | 'number' | 'patients'
const TABS: Readonly<Record<Tab, string>> = {
  trend: 'Trend',
  number: 'How this is calculated',
  patients: 'Patients behind this',
}

/** A figure's trend and its calculation, beside the screen it was opened on. */
export function ExplainDrawer({ target, where, pharmacies, onClose }: ExplainDrawerProps) {
  const [last, setLast] = useState(target)
  if (target !== null && target !== last) setLast(target)
  const shown = target ?? last
  const title = shown === null ? '' : shown.part === null ? shown.subject : `${shown.subject} · ${shown.part}`
  useOpener(target !== null)
  useBackCloses(target !== null, onClose)
  return (
    <Drawer
      returnFocus={false}
      opened={target !== null}
      onClose={onClose}
      title={title}
      size={720}
      classNames={{ header: styles.header, title: styles.heading, body: styles.body }}
    >
      {shown ? <Contents key={JSON.stringify(shown)} target={shown} where={where} pharmacies={pharmacies} /> : null}
    </Drawer>
  )
}

function Contents({
  target,
  where,
  pharmacies,
}: Omit<ExplainDrawerProps, 'target' | 'onClose'> & { target: ExplainTarget }) {
  const [number, setNumber] = useState(target.number)
  const [chosen, setTab] = useState<Tab>(target.first ?? 'trend')
  const only = target.pharmacyIds?.length === 1 ? target.pharmacyIds[0] : undefined
  const pharmacy = pharmacies.find(({ pharmacy_id }) => pharmacy_id === only)
  if (target.pharmacyIds === null) return <Baseline product={where.product} />
  if (target.empty) {
    return (
      <>
        {pharmacy ? <PharmacyFacts pharmacy={pharmacy} country={where.country} /> : null}
        <NothingYet title="No figure here">
          {target.subject} has no scripts of {target.part} in this period, so there is nothing to count or divide.
        </NothingYet>
      </>
    )
  }
  const figure = trendOf(number, target.subcategory)
  const tabs: Tab[] = [
    ...(figure === null ? [] : (['trend'] as const)),
    'number',
    ...(hasPatients(target) && !target.numbers ? (['patients'] as const) : []),
  ]
  const tab = tabs.includes(chosen) ? chosen : 'number'
  return (
    <>
      {pharmacy ? <PharmacyFacts pharmacy={pharmacy} country={where.country} /> : null}
      {target.numbers ? (
        <Segments
          label="Number"
          kind="tabs"
          panelId="explain-panel"
          options={target.numbers.map((value) => ({ value, label: HEADLINE_NAMES[value] ?? value }))}
          value={number}
          onChange={setNumber}
        />
      ) : null}
      {tabs.length > 1 ? (
        <div className={styles.tabs}>
          <Segments
            label="What to show"
            kind="tabs"
            panelId="explain-panel"
            options={tabs.map((value) => ({ value, label: TABS[value] }))}
            value={tab}
            onChange={setTab}
          />
        </div>
      ) : null}
      <div
        id="explain-panel"
        {...(target.numbers || tabs.length > 1 ? { role: 'tabpanel', 'aria-label': 'Explanation' } : {})}
      >
        {tab === 'trend' && figure !== null ? (
          <Trend
            {...{ figure, where }}
            pharmacyIds={target.pharmacyIds}
            whose={whoseTargets(target.pharmacyIds, pharmacies.length)}
          />
        ) : tab === 'patients' && only !== undefined ? (
          <PatientsTab pharmacyId={only} target={target} where={where} />
        ) : (
          <Explanation target={{ ...target, number }} where={where} />
        )}
      </div>
    </>
  )
}

/** The product average comes from other companies' pharmacies, so this explains the calculation and lists none of them. */
function Baseline({ product }: { product: string }) {
  return (
    <div className={styles.prose}>
      <p>
        The {product} average is taken over the pharmacies of other companies in your country, never your own. Each
        month appears eight days after it ends, and takes in the pharmacies with scripts on at least 90% of its business
        days and five scripts a day. It does not change afterwards.
      </p>
      <p>
        Revenue and scripts are the mean per pharmacy. Adherence and loyalty are pooled: all their scripts together, not
        the mean of each pharmacy’s percent.
      </p>
      <p>
        Pharmacies are not named. Behind every figure stand at least 5 of them, of 3 companies, none with over half;
        where that is not so, or a difference would give one away, the figure is hidden.
      </p>
    </div>
  )
}
