import type { Context, Services } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { inScope } from '../../../db/scope.ts'
import type { MailCompany } from './report-mail.queries.ts'

const nothing = () => {}

/** Runs work as though a person of the company had requested it: for jobs that use the screen's own calls. */
export function inCompany<T>(
  services: Services,
  company: MailCompany,
  work: (context: Context, tx: Tx) => Promise<T>,
): Promise<T> {
  const scope = { companyId: company.id, locationIds: company.location_ids }
  const from = { network: null, agent: null }
  const caller = {
    ...{ loginId: 0, sessionId: '', username: '', mustChangePassword: false, demo: false, from, scope },
    factor: { has: false, shown: false },
    flags: new Set(['data_analytics'] as const),
    ...{ companyId: company.id, companyUuid: company.uuid, country: company.country },
  }
  return inScope(services.pools.app, scope, (tx) =>
    work(
      {
        ...{
          services,
          tx,
          caller,
          from,
          address: '',
          local: false,
          requestId: '',
          location: null,
          staff: null,
          enter: null,
        },
        ...{
          cookieSecret: null,
          browserSecret: null,
          setCookie: nothing,
          rememberBrowser: nothing,
          clearCookie: nothing,
        },
        ...{ grant: null, requestKey: null, parts: null, changes: [], about: {}, counts: {}, grow: null },
        spool: () => Promise.reject(new Error('A report makes no long file.')),
        ifFails: nothing,
        gone: new AbortController().signal,
      },
      tx,
    ),
  )
}
