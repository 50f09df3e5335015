import { contract } from '@pillar/contract'
import type { TrialLocation } from '@pillar/contract/trial/trial-admin'
import { type Country, formatMoney, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { referralRate } from '@pillar/domain/trial/participant'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { useHomeCountry } from '../../frame/title.ts'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { DataTable } from '../../kit/list/DataTable.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { Pager } from '../../kit/list/Pager.tsx'
import type { Sorting } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'

type Sort = 'total_eligible' | 'total_contacted' | 'total_referred' | 'total_enrolled' | 'total_optout' | 'name'

/** The pharmacies where a trial has eligible patients, page by page. */
export function TrialLocations({ trialId }: { trialId: string }) {
  const country = useCountry()
  const home = useHomeCountry()
  const [page, setPage] = useState(1)
  const [sorting, setSorting] = useState<Sorting>({ field: 'total_eligible', order: 'desc' })
  const read = useRead(
    contract.clinicalTrial.locationInfo,
    { trial_id: trialId, page, sort_field: sorting.field as Sort, sort_order: sorting.order },
    { keepPrevious: true },
  )
  return (
    <Loaded read={read} what="the pharmacies" rows={3} paged={{ page, onPage: setPage }}>
      {({ locations, current_page, page_count, per_page, total }) =>
        total === 0 ? (
          <p className="muted">No records found</p>
        ) : (
          <>
            <DataTable
              label="Locations"
              rows={locations}
              idOf={(row) => row.location_id}
              nameOf={(row) => row.location_name}
              columns={columnsFor(country, home)}
              sorting={{
                by: sorting,
                onSort: (next) => {
                  setSorting(next)
                  setPage(1)
                },
              }}
            />
            <Pager
              country={country}
              page={current_page}
              pages={page_count}
              perPage={per_page}
              total={total}
              onPage={setPage}
            />
          </>
        )
      }
    </Loaded>
  )
}

function columnsFor(country: Country, home: Country): readonly Column<TrialLocation>[] {
  const count = (label: string, sort: Exclude<Sort, 'name'>) => ({
    ...{ label, sort, num: true },
    cell: (row: TrialLocation) => formatNumber(country, row[sort]),
  })
  return [
    {
      ...{ label: 'Location', sort: 'name' },
      cell: ({ location_name, left }) => (
        <>
          {location_name} {left ? <Tag tone="outline">Has left</Tag> : null}
        </>
      ),
    },
    { label: 'Company', cell: ({ company_name }) => company_name },
    count('Eligible', 'total_eligible'),
    count('Contacted', 'total_contacted'),
    count('Referred', 'total_referred'),
    { label: 'Rate', num: true, cell: (row) => formatPercent(country, referralRate(row)) },
    count('Enrolled', 'total_enrolled'),
    count('Opted out', 'total_optout'),
    { label: 'Rebates', num: true, cell: (row) => formatMoney(home, row.rebate, 2) },
  ]
}
