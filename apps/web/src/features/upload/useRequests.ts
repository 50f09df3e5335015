import { contract } from '@pillar/contract'
import { counted, listOf } from '@pillar/domain/text/sentence'
import { useWrite } from '../../api/client.ts'
import { confirm } from '../../kit/dialog/question.ts'
import { toast, toastFailure } from '../../kit/display/toast.tsx'

/** How many pharmacies are named one by one; the rest are only counted. */
const TOLD = 3

/** Asks pharmacies for an upload, after a question, and tells which could not be asked. */
export function useRequests(): (rows: readonly { id: string; name: string }[]) => Promise<unknown> {
  const write = useWrite(contract.etl.request)
  return (rows) => {
    const many = counted(rows.length, 'pharmacy', 'pharmacies')
    const which = rows.length === 1 ? rows[0]!.name : many
    return confirm({
      title: `Request an upload from ${which}?`,
      consequence:
        'Each pharmacy is asked to upload from its own data source, with no time range. Its upload command sends the files.',
      button: rows.length === 1 ? 'Request upload' : `Request upload from ${many}`,
      act: async () => {
        const { requested, not_requested } = await write.mutateAsync({ id: rows.map(({ id }) => id) })
        if (requested.length > 0) {
          const done = counted(requested.length, 'pharmacy', 'pharmacies')
          toast(rows.length === 1 ? 'Upload successfully requested' : `Upload successfully requested from ${done}`)
        }
        if (not_requested.length === 0) return
        const told = not_requested.slice(0, TOLD).map(({ name, reason }) => `${name}: ${reason}`)
        const more = not_requested.length - told.length
        const failed = counted(not_requested.length, 'pharmacy was', 'pharmacies were')
        toastFailure(`${failed} not requested. ${listOf(told)}${more > 0 ? ` And ${more} more.` : ''}`)
      },
    })
  }
}
