import { FIGURES, type FigureKey } from '@pillar/domain/figure/figure-list'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { Link } from '@tanstack/react-router'
import { momentOf } from '../../../kit/display/dates.ts'
import { Change } from '../../../kit/display/figure/Change.tsx'
import { NothingYet } from '../../../kit/display/states.tsx'
import { Status, statusWord } from '../../../kit/display/status.tsx'
import { DataTable } from '../../../kit/list/DataTable.tsx'
import { NONE, unitText } from '../figures.ts'
import { CampaignResult } from './CampaignResult.tsx'
import styles from './Pharmacy.module.css'
import { figureNamed, type PharmacyReply } from './pharmacy-words.ts'
import { PATIENT_FIGURES } from './tab-figures.ts'

interface TabProps {
  reply: PharmacyReply
  country: Country
}

const dayText = (country: Country, text: string | null) => {
  const day = text === null ? null : parseDay(text)
  return day === null ? NONE : formatDate(country, day)
}

/** Patients who came, came back or stayed away: counts only. */
export function Patients({ reply, country }: TabProps) {
  const rows = PATIENT_FIGURES.flatMap((key: FigureKey) => figureNamed(reply, key) ?? [])
  return (
    <>
      <DataTable
        label="Patients"
        rows={rows}
        idOf={({ figure }) => figure}
        columns={[
          { label: 'Patients', cell: ({ title }) => title },
          { label: 'Number', num: true, cell: ({ unit, value }) => unitText(country, unit, value) },
          { label: 'Change', num: true, cell: ({ change }) => <Change country={country} value={change} /> },
          { label: 'What it counts', cell: ({ figure }) => <span className="muted">{FIGURES[figure].formula}</span> },
        ]}
      />
      <p className={styles.foot}>New, returning, retained and unplaced patients add up to patients.</p>
    </>
  )
}

/** The pharmacy's campaigns and their results here. */
export function Campaigns({ reply, country }: TabProps) {
  if (reply.campaigns.length === 0) {
    return (
      <NothingYet title="No campaigns at this pharmacy yet">
        <Link to="/campaigns" search={{ dialog: 'new-campaign', pharmacy: reply.pharmacy_id } as never}>
          New campaign
        </Link>
      </NothingYet>
    )
  }
  const count = (value: number) => formatNumber(country, value)
  return (
    <DataTable
      label="Campaigns"
      rows={reply.campaigns}
      idOf={(row) => row.campaign_id}
      columns={[
        {
          label: 'Campaign',
          cell: (row) => (
            <Link to="/campaigns/$id" params={{ id: row.campaign_id }} search={{}}>
              {row.name}
            </Link>
          ),
        },
        { label: 'State', cell: ({ active }) => (active ? 'Active' : 'Inactive') },
        { label: 'From', cell: ({ start_date }) => dayText(country, start_date) },
        { label: 'To', cell: ({ end_date }) => dayText(country, end_date) },
        { label: 'Patients reached', num: true, cell: ({ reach }) => count(reach) },
        { label: 'Texts delivered', num: true, cell: ({ sms }) => count(sms) },
        { label: 'Emails delivered', num: true, cell: ({ email }) => count(email) },
        { label: 'Cost', num: true, cell: ({ cost }) => formatMoney(country, cost, 2) },
        {
          ...{ label: 'Revenue added', num: true },
          cell: (row) => <CampaignResult campaign={row} pharmacyId={reply.pharmacy_id} country={country} />,
        },
      ]}
    />
  )
}

const FAILED =
  'Nothing of a failed upload is in the figures. Support has the list of its faulty rows for the pharmacy, which corrects them and uploads again.'

/** What the pharmacy sent, newest first, and how far its data reaches. */
export function Uploads({ reply, country }: TabProps) {
  if (reply.uploads.length === 0) {
    return <NothingYet title="No uploads yet">Uploads appear here once the pharmacy has sent its records.</NothingYet>
  }
  const count = (value: number | null) => formatNumber(country, value)
  return (
    <>
      <DataTable
        label="Uploads"
        rows={reply.uploads}
        idOf={(row) => row.upload_id}
        isBad={({ state }) => state === 'ERROR'}
        columns={[
          { label: 'Received', cell: ({ received }) => momentOf(country, received) },
          { label: 'Source', cell: ({ source }) => source },
          { label: 'State', cell: ({ state }) => <Status word={statusWord(state)} /> },
          { label: 'Data from', cell: ({ from }) => dayText(country, from) },
          { label: 'Data to', cell: ({ to }) => dayText(country, to) },
          { label: 'Rows', num: true, cell: ({ rows }) => count(rows) },
          { label: 'Faulty rows', num: true, cell: ({ faulty }) => count(faulty) },
          { label: 'Note', cell: ({ note }) => <span className={styles.note}>{note || NONE}</span> },
        ]}
      />
      <p className={styles.foot}>
        {reply.uploads[0]?.state === 'ERROR' ? `${FAILED} ` : null}Data from {dayText(country, reply.data_from)} to{' '}
        {dayText(country, reply.data_to)}. The newest 30 uploads.
      </p>
    </>
  )
}
