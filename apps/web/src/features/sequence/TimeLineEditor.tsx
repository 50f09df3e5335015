import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { AdminPharmacySequence } from '@pillar/contract/sequence/pharmacy-sequence-read'
import { pharmacySequenceProblems } from '@pillar/domain/campaign/sequence-draft'
import { followUpChangeWords } from '@pillar/domain/campaign/time-line'
import { problemSentence } from '@pillar/domain/text/sentence'
import { day } from '@pillar/domain/time/day'
import { formatDate, NO_VALUE } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { useKeptWork } from '../../kit/dialog/unsaved/useKeptWork.ts'
import { useUnsaved } from '../../kit/dialog/unsaved/useUnsaved.ts'
import { useCountry } from '../../session/session.ts'
import { wordsOf } from '../../shared/refused.ts'
import { type FollowUpRow, FollowUpsField } from './FollowUpsField.tsx'
import { useTemplateOptions } from './lookups.ts'
import type { Stats } from './sequence-stats.ts'
import { waitingOf } from './sequence-words.ts'
import styles from './TimeLine.module.css'

interface TimeLineEditorProps {
  sequence: AdminPharmacySequence
  stats: Stats
  onClose: () => void
}

const rowsOf = ({ follow_ups }: AdminPharmacySequence): FollowUpRow[] =>
  follow_ups.map(({ follow_up_id, template_id, template, days_after }) => ({
    ...{ key: follow_up_id, follow_up_id, template_id, template, days_after },
  }))

/** Edits the time line in place: days, templates and order of the follow-ups. */
export function TimeLineEditor({ sequence, stats, onClose }: TimeLineEditorProps) {
  const country = useCountry()
  const [rows, setRows] = useState(() => rowsOf(sequence))
  const [error, setError] = useState('')
  const { company_id, sequence_id: id, location_id } = sequence
  // The version being edited, even if the page has read a newer one since.
  const [version] = useState(sequence.version)
  const dirty = JSON.stringify(rows) !== JSON.stringify(rowsOf(sequence))
  const { leave, done } = useUnsaved(dirty, 'these follow-ups')
  useKeptWork(`follow-ups ${id} ${version}`, {
    values: { rows },
    dirty,
    restore: (typed) => setRows(typed.rows ?? rows),
  })
  const removed = stats.steps.filter(
    (step) => !step.removed && !rows.some((row) => row.follow_up_id === step.follow_up_id),
  )
  const queued = removed.reduce((sum, step) => sum + step.queued, 0)
  const write = useWrite(contract.sequenceAdmin.edit, {
    ask: {
      title: `Save the follow-ups of ${sequence.title}?`,
      consequence: followUpChangeWords(waitingOf(stats), removed.length, queued),
      button: 'Save follow-ups',
    },
    done: 'Sequence Edited Successfully',
  })
  const save = async () => {
    const { title, sequence_event } = sequence
    const draft = { title, sequence_event_id: sequence_event.event_id, follow_ups: rows }
    const problem = problemSentence(
      pharmacySequenceProblems({ ...draft, start_date: null, end_date: null, budget: null }),
    )
    setError(problem)
    if (problem !== '') return
    const follow_ups = rows.map(({ follow_up_id, template_id, days_after }) => ({
      follow_up_id,
      template_id,
      days_after,
    }))
    try {
      if (await write.mutateAsync({ id, location_id, follow_ups, version })) done(onClose)
    } catch (thrown) {
      setError(wordsOf(thrown))
    }
  }
  return (
    <div className={styles.editor}>
      <FollowUpsField
        name="follow_ups"
        label="Follow-ups"
        value={rows}
        onChange={setRows}
        error={error}
        useOptions={useTemplateOptions}
        within={company_id}
        beside={(days) =>
          `Enrolled today: due ${Number.isInteger(days) && days >= 0 ? formatDate(country, day(stats.today) + days) : NO_VALUE}`
        }
      />
      <div className={styles.foot}>
        <Button onClick={() => leave(onClose)}>Cancel</Button>
        <Button
          variant="filled"
          disabled={!dirty}
          title={dirty ? undefined : 'Nothing has been changed'}
          loading={write.isPending}
          onClick={() => void save()}
        >
          Save follow-ups
        </Button>
      </div>
    </div>
  )
}
