import type { AskOf, ReplyOf } from '@pillar/contract'
import { contract } from '@pillar/contract'
import type { Template } from '@pillar/contract/template/template'
import { useEffect } from 'react'
import { type Pages, usePages } from '../../api/pages.ts'

const rowsOf = (page: ReplyOf<typeof contract.template.list>) => page.templates
const idOf = (template: Template) => template.template_id

/** The company's templates, newest first, page after page; `fresh` waits for the server's current data. */
export function useTemplates(
  filters: Omit<AskOf<typeof contract.template.list>, 'page'> = {},
  { fresh = false }: { fresh?: boolean } = {},
): Pages<Template> {
  return usePages(contract.template.list, filters, rowsOf, idOf, { fresh })
}

/** The row with this id, which may be new or on a page not read yet: reads on until it is found or the list ends. */
export function useFound<Row>(
  pages: Pages<Row>,
  id: string | undefined,
  rowId: (row: Row) => string,
): { row: Row | null; looking: boolean } {
  const row = id === undefined ? null : (pages.rows.find((each) => rowId(each) === id) ?? null)
  const reading = pages.loading || pages.rereading || pages.more
  const looking = id !== undefined && row === null && !pages.error && reading
  useEffect(() => {
    if (looking && !pages.loading && !pages.loadingMore) pages.loadMore()
  }, [looking, pages])
  return { row, looking }
}
