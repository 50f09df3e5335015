import { Button, NativeSelect, Switch } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { contract } from '@pillar/contract'
import { problemSentence } from '@pillar/domain/text/sentence'
import { UPLOAD_SOURCES } from '@pillar/domain/upload/data-source'
import { requestProblems } from '@pillar/domain/upload/upload-request'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { momentIn } from '../../kit/display/dates.ts'
import { Segments } from '../../kit/form/Segments.tsx'
import { ARROW_NAMES, datePattern, fieldDate, firstDayOfWeek } from '../../kit/form/typed-date.ts'
import { useCountry } from '../../session/session.ts'
import { wordsOf } from '../../shared/refused.ts'
import { sourceName } from './faulty-words.ts'
import styles from './Upload.module.css'

const EMPTY = { source: null as string | null, advanced: false, initial: 'no' as 'yes' | 'no', from: '', to: '' }

/** A picker's '2026-11-01 09:30:00', which is UTC, as an instant. */
const instantOf = (picked: string) => (picked ? new Date(`${picked.replace(' ', 'T')}Z`).toISOString() : '')

interface UploadRequestProps {
  id: string
  zone: string
  /** The pharmacy's own data source. */
  source: string | null
}

/** Requests an upload from the pharmacy. */
export function UploadRequest({ id, zone, source }: UploadRequestProps) {
  const country = useCountry()
  const [form, setForm] = useState(EMPTY)
  const [said, setSaid] = useState('')
  const write = useWrite(contract.etl.request, { done: 'Upload successfully requested.' })
  const chosen = form.source ?? source ?? ''
  const known: readonly { key: string; name: string }[] = UPLOAD_SOURCES
  const own = source && !known.some(({ key }) => key === source) ? [{ key: source, name: sourceName(source) }] : []
  const times = form.advanced ? { from: instantOf(form.from), to: instantOf(form.to) } : { from: '', to: '' }
  const problems = requestProblems({ data_source: chosen, ...times })
  const wrong = (field: string) => (said && problems.some((one) => one.field === field) ? said : undefined)
  const set = (change: Partial<typeof EMPTY>) => setForm({ ...form, ...change })
  const submit = async () => {
    setSaid(problemSentence(problems))
    if (problems.length > 0) return
    try {
      await write.mutateAsync({
        ...{ id, data_source: chosen, from: times.from || null, to: times.to || null },
        initial_upload: form.advanced && form.initial === 'yes',
      })
      setForm(EMPTY)
    } catch (thrown) {
      setSaid(wordsOf(thrown))
    }
  }
  const local = (instant: string) =>
    instant ? `${momentIn(country, zone, instant)} at the pharmacy (${zone})` : 'UTC, 24 hours'
  return (
    <details className={styles.new} open>
      <summary>New Upload</summary>
      <form
        className={styles.request}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <NativeSelect
          label="Data source"
          value={chosen}
          error={wrong('data_source')}
          onChange={(event) => set({ source: event.currentTarget.value })}
          data={[
            { value: '', label: 'Select' },
            ...[...own, ...known].map(({ key, name }) => ({ value: key, label: name })),
          ]}
        />
        <Switch
          label="Advanced Options"
          checked={form.advanced}
          onChange={(event) => set({ advanced: event.currentTarget.checked })}
        />
        {form.advanced ? (
          <>
            <div>
              <span className={styles.label}>Initial Upload</span>
              <Segments
                label="Initial Upload"
                options={[
                  { value: 'yes', label: 'Yes' },
                  { value: 'no', label: 'No' },
                ]}
                value={form.initial}
                onChange={(initial) => set({ initial })}
              />
            </div>
            <Time
              label="From Time (UTC)"
              value={form.from}
              onChange={(from) => set({ from })}
              description={local(times.from)}
            />
            <Time
              label="To Time (UTC)"
              value={form.to}
              onChange={(to) => set({ to })}
              description={local(times.to)}
              error={wrong('to')}
            />
          </>
        ) : null}
        {said && !wrong('data_source') && !wrong('to') ? (
          <p role="alert" className={styles.said}>
            {said}
          </p>
        ) : null}
        <div className={styles.acts}>
          <Button type="submit" variant="filled" aria-disabled={write.isPending}>
            {write.isPending ? 'Submitting...' : 'Submit'}
          </Button>
        </div>
      </form>
    </details>
  )
}

interface TimeProps {
  label: string
  value: string
  onChange: (value: string) => void
  description: string
  error?: string | undefined
}

function Time({ onChange, value, ...field }: TimeProps) {
  const country = useCountry()
  const [open, setOpen] = useState(false)
  return (
    <DateTimePicker
      {...field}
      clearable
      value={value || null}
      valueFormat={(picked) => `${fieldDate(country, String(picked))} ${String(picked).slice(11, 16)}`}
      placeholder={`${datePattern(country)} hh:mm`}
      firstDayOfWeek={firstDayOfWeek(country)}
      weekendDays={[]}
      ariaLabels={ARROW_NAMES}
      timePickerProps={{ hoursInputLabel: 'Hours', minutesInputLabel: 'Minutes' }}
      submitButtonProps={{ 'aria-label': 'Use this time' }}
      onChange={(picked) => onChange(picked ?? '')}
      data-mantine-stop-propagation={open ? 'true' : undefined}
      popoverProps={{ onOpen: () => setOpen(true), onClose: () => setOpen(false) }}
    />
  )
}
