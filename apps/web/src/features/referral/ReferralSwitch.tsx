import { Switch } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Referral } from '@pillar/contract/trial/referral'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { nameOf, useWrite } from '../../api/client.ts'
import { toastFailure } from '../../kit/display/toast.tsx'
import styles from './Referral.module.css'
import { notSavedWords } from './referral-words.ts'

const SAVED_MS = 4000
const WORDS = { enrolled: 'Enrolled', recruiter_contacted: 'Contacted' } as const

/** A referral's save in progress. Its other switch waits for it and continues from its answer, because both are saved under one version. */
const underWay = new Map<string, Promise<Referral | null>>()

/**
 * One of a referral's two switches. It shows the saved state, and says when it is saving. If the change is refused, or no answer comes, the
 * reason is shown and the list is read again.
 */
export function ReferralSwitch({ row, field }: { row: Referral; field: keyof typeof WORDS }) {
  const client = useQueryClient()
  const write = useWrite(contract.referral.edit)
  /** The new position, until it is saved. */
  const [wanted, setWanted] = useState<boolean | null>(null)
  const [saved, setSaved] = useState(false)
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => setSaved(false), SAVED_MS)
    return () => clearTimeout(timer)
  }, [saved])
  const name = `${row.first_name} ${row.last_name}`
  const save = async (next: boolean, before: Promise<Referral | null> | undefined) => {
    const { consent_id, enrolled, recruiter_contacted, version } = (await before) ?? row
    try {
      return await write.mutateAsync({ consent_id, enrolled, recruiter_contacted, version, [field]: next })
    } catch (error) {
      toastFailure(notSavedWords(`${WORDS[field]} of ${name}`, error))
      void client.invalidateQueries({ queryKey: [nameOf(contract.referral.list)] })
      return null
    }
  }
  const flip = async (next: boolean) => {
    setSaved(false)
    setWanted(next)
    const saving = save(next, underWay.get(row.consent_id))
    underWay.set(row.consent_id, saving)
    const answer = await saving
    if (underWay.get(row.consent_id) === saving) underWay.delete(row.consent_id)
    setWanted(null)
    setSaved(answer !== null)
  }
  return (
    <span className={styles.switch}>
      <Switch
        aria-label={`${WORDS[field]}: ${name}`}
        aria-busy={wanted !== null}
        checked={(wanted ?? row[field]) === true}
        onChange={(event) => {
          // Not disabled while it saves, which would lose the keyboard's focus.
          if (wanted === null) void flip(event.currentTarget.checked)
        }}
      />
      <span className={styles.word} role="status">
        {wanted !== null ? 'Saving…' : saved ? 'Saved' : ''}
      </span>
    </span>
  )
}
