import { Button } from '@mantine/core'
import type { Pharmacy } from '@pillar/contract/financials'
import { type Target, target } from '@pillar/contract/target'
import { standingTone, targetText } from '@pillar/domain/target/target'
import type { Country } from '@pillar/domain/time/locale'
import { type PeriodChoice, periodLabel } from '@pillar/domain/time/period'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/client.ts'
import { PharmacyLink } from '../../frame/PharmacyLink.tsx'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { confirm } from '../../kit/dialog/question.ts'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { scrollEdges } from '../../kit/display/scroll-edges.ts'
import { RowActs } from '../../kit/list/acts.tsx'
import styles from './Target.module.css'
import { TargetForm } from './TargetForm.tsx'

interface TargetsDialogProps {
  choice: PeriodChoice
  pharmacies: readonly Pharmacy[]
  country: Country
  close: () => void
}

/** The targets of the period on screen: compare, set, change and remove them. */
export function TargetsDialog({ choice, pharmacies, country, close }: TargetsDialogProps) {
  const label = periodLabel(country, choice)
  const read = useRead(target.list, { ...choice, all: true })
  const [edited, setEdited] = useState<Target | 'new' | null>(null)
  return (
    <Dialog
      opened
      size="M"
      title={`Targets: ${label}`}
      onClose={close}
      foot={
        <>
          <Button onClick={close}>Close</Button>
          <Button variant="filled" disabled={!read.data} onClick={() => setEdited('new')}>
            Set a target…
          </Button>
        </>
      }
    >
      <Loaded read={read} what="the targets">
        {({ targets }) =>
          targets.length === 0 ? (
            <p>No targets are set for this period. Set one for the whole company or for a pharmacy.</p>
          ) : (
            <TargetTable targets={targets} country={country} onEdit={setEdited} />
          )
        }
      </Loaded>
      {edited ? (
        <TargetForm
          {...{ choice, pharmacies, country, edited }}
          targets={read.data?.targets ?? []}
          close={() => setEdited(null)}
        />
      ) : null}
    </Dialog>
  )
}

interface TargetTableProps {
  targets: readonly Target[]
  country: Country
  onEdit: (target: Target) => void
}

function TargetTable({ targets, country, onEdit }: TargetTableProps) {
  const remove = useWrite(target.remove, { done: 'Target removed' })
  const askToRemove = (one: Target) =>
    confirm({
      title: 'Remove this target?',
      consequence: `${whose(one)}: ${one.title.toLowerCase()}, ${targetText(country, one.figure, one.target)}.`,
      button: 'Remove target',
      danger: true,
      act: () => remove.mutateAsync({ id: one.id }),
    })
  return (
    <div ref={scrollEdges} className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Figure</th>
            <th scope="col" className={styles.figure}>
              Target
            </th>
            <th scope="col" className={styles.figure}>
              So far
            </th>
            <th scope="col">How it stands</th>
            <th scope="col">
              <span className="sr">Change or remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {targets.map((one) => {
            const tone = standingTone({ state: one.state, expected: one.expected, gap: one.gap, needed: one.needed })
            return (
              <tr key={one.id}>
                <td>
                  {one.pharmacy_id === null ? (
                    whose(one)
                  ) : (
                    <PharmacyLink id={one.pharmacy_id} name={whose(one)} period={plainPeriod(one.period.key)} />
                  )}
                </td>
                <td>
                  {one.title}
                  <span className={`${styles.small} ${tone === 'plain' ? '' : styles[tone]}`} aria-hidden>
                    {one.words}
                  </span>
                </td>
                <td className={styles.figure}>{targetText(country, one.figure, one.target)}</td>
                <td className={styles.figure}>{targetText(country, one.figure, one.actual)}</td>
                <td className={tone === 'plain' ? undefined : styles[tone]}>{one.words}</td>
                <td className={styles.acts}>
                  <RowActs
                    of={`the target of ${one.title.toLowerCase()} for ${whose(one)}`}
                    acts={[
                      { label: 'Change', icon: Pencil, run: () => onEdit(one) },
                      { label: 'Remove', icon: Trash2, danger: true, run: () => askToRemove(one) },
                    ]}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** The address reads period=2026 without quotes. */
const plainPeriod = (key: string) => (/^\d+$/.test(key) ? Number(key) : key)

const whose = ({ pharmacy_name }: Target) => pharmacy_name ?? 'Whole company'
