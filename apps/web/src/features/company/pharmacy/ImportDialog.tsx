import { contract } from '@pillar/contract'
import type { Company } from '@pillar/contract/company/company-admin'
import type { ImportPreview } from '@pillar/contract/company/location-import'
import { IMPORT_WARNING } from '@pillar/domain/company/pharmacy-import'
import { counted, isolated, joined, listOf } from '@pillar/domain/text/sentence'
import { formatNumber } from '@pillar/domain/time/locale'
import { TriangleAlert } from 'lucide-react'
import { createContext, useContext } from 'react'
import { send, useRead } from '../../../api/client.ts'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Failed, Loading } from '../../../kit/display/states.tsx'
import { LookupField } from '../../../kit/form/LookupField.tsx'
import { useCountry } from '../../../session/session.ts'
import styles from './ImportDialog.module.css'

const calls = contract.locationImport
/** The company that the search leaves out. */
const Target = createContext('')

/** Moves a pharmacy here from another company, after a preview of what comes along and what is stopped. */
export function ImportDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  return (
    <Target value={company.uuid}>
      <FormDialog
        size="M"
        words={WORDS}
        call={calls.run}
        ask={async (which) => {
          const preview = await send(calls.preview, which)
          const { pharmacy, from, to } = preview
          return {
            title: `Import ${pharmacy.name} to ${to.name}?`,
            consequence: `It leaves ${from.name}. ${IMPORT_WARNING} ${endsWords(preview)}`,
            button: 'Import pharmacy',
          }
        }}
        initial={{ import_pharmacy_id: '' }}
        input={(values) => ({ ...values, company_id: company.uuid })}
        check={({ import_pharmacy_id }) =>
          import_pharmacy_id ? [] : [{ field: 'import_pharmacy_id', words: 'select a pharmacy' }]
        }
        done={({ stopped_campaigns: stopped, cancelled_messages: cancelled }) =>
          [
            'Pharmacy Imported Successfully',
            stopped.length > 0 ? `stopped there: ${listOf(stopped)}` : '',
            cancelled > 0 ? `${counted(cancelled, 'message', 'messages')} cancelled` : '',
          ]
            .filter(Boolean)
            .join(' · ')
        }
        onClose={() => onClose()}
      >
        {(f, { import_pharmacy_id: chosen }) => (
          <>
            <p className={styles.warning}>
              <Icon of={TriangleAlert} /> <span>{IMPORT_WARNING}</span>
            </p>
            <LookupField
              {...f('import_pharmacy_id', 'Pharmacy')}
              placeholder="Name of the pharmacy"
              useOptions={usePharmacies}
            />
            {chosen ? <Preview which={{ company_id: company.uuid, import_pharmacy_id: chosen }} /> : null}
          </>
        )}
      </FormDialog>
    </Target>
  )
}

const WORDS = {
  title: 'Import Pharmacy From Other Company',
  button: 'Import',
  busy: 'Importing...',
  done: 'Pharmacy Imported Successfully',
  what: 'this import',
}

/** What ends at the pharmacy before it moves. */
function endsWords({ campaigns, sequences, queued_messages: queued }: ImportPreview): string {
  const running = campaigns.filter((one) => one.running).length
  const parts = [
    running > 0 ? `${counted(running, 'running campaign stops', 'running campaigns stop')} there` : '',
    sequences > 0 ? counted(sequences, 'sequence ends', 'sequences end') : '',
    queued > 0 ? `${counted(queued, 'unsent message is', 'unsent messages are')} cancelled` : '',
  ].filter(Boolean)
  return parts.length === 0 ? 'Nothing is running or waiting there.' : `Before it moves, ${listOf(parts)}.`
}

function usePharmacies(search_term: string) {
  const not_company = useContext(Target)
  const read = useRead(calls.pharmacies, { search_term, not_company })
  const options = (read.data?.results ?? []).map(({ uuid, name, company_name }) => ({
    value: uuid,
    label: joined([name, company_name]),
  }))
  return { options, read }
}

/** What moves, what stays and what is stopped. */
function Preview({ which }: { which: { company_id: string; import_pharmacy_id: string } }) {
  const country = useCountry()
  const { data, error, refetch } = useRead(calls.preview, which, { staleTime: 0 })
  if (error) return <Failed title="Could not load what moves" error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading rows={3} />
  return (
    <dl className={styles.preview} aria-label="What the import does">
      {linesOf(data, (count, one) => `${formatNumber(country, count)} ${one}${count === 1 ? '' : 's'}`).map(
        ([label, words]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{words}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** @param figure a count with its noun, given in the singular */
function linesOf(preview: ImportPreview, figure: (count: number, one: string) => string): [string, string][] {
  const { logins_moving: moving, logins_staying: staying, campaigns } = preview
  const running = campaigns.filter((one) => one.running).map(({ name }) => name)
  const queued = preview.queued_messages
  return [
    ['From', preview.from.name],
    [
      'Comes along',
      [
        figure(preview.patients, 'patient'),
        figure(preview.messages, 'message'),
        figure(preview.uploads, 'upload'),
      ].join(', '),
    ],
    ['Logins that move', listOf(moving.map(({ name, email }) => `${isolated(name)} (${email})`)) || 'None'],
    [
      'Logins that stay',
      listOf(
        staying.map(
          ({ name, pharmacies }) => `${isolated(name)} (${counted(pharmacies, 'other pharmacy', 'other pharmacies')})`,
        ),
      ) || 'None',
    ],
    ['Stopped first', listOf(running) || 'Nothing is running'],
    ['Leaves campaigns', listOf(campaigns.map(({ name }) => name)) || 'None'],
    ['Sequences that end', preview.sequences === 0 ? 'None' : figure(preview.sequences, 'sequence')],
    ['Cancelled', queued === 0 ? 'No message is waiting' : figure(queued, 'unsent message')],
  ]
}
