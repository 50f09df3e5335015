import type { ReplyOf } from '@pillar/contract'
import { template } from '@pillar/contract/template/template'
import { subcategoriesOf, UNCLASSIFIED } from '@pillar/domain/dispensing/category'
import { useMemo } from 'react'
import { useRead } from '../../api/client.ts'

/** Dispensed molecules come last: their names are those of the company's own data. */
const namesIn = (answer?: ReplyOf<typeof template.molecules>) => [
  ...(answer?.other_names ?? []),
  ...(answer?.molecule_atc_codes ?? []),
]

/** The drug types and molecules to choose from, which seldom change. */
export function useCohortLists() {
  const groups = useRead(template.groups, {}, { staleTime: 600_000 })
  const molecules = useRead(template.molecules, {}, { staleTime: 600_000 })
  const names = useMemo(
    () => new Map(namesIn(molecules.data).map(({ atc_code, molecule }) => [atc_code, molecule])),
    [molecules.data],
  )
  const listed = groups.data?.groups.find(({ category }) => category === 'Drug Type')?.subcategories
  return {
    // The domain has the same names, so the filter works even without an answer from the server.
    drugTypes: (listed ?? subcategoriesOf('Drug Type')).filter((name) => name !== UNCLASSIFIED),
    molecules: molecules.data?.molecule_atc_codes ?? null,
    nameOf: (code: string) => names.get(code) ?? code,
    error: molecules.isError ? molecules.error : null,
    retry: () => void molecules.refetch(),
  }
}
