import { Switch } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Referral } from '@pillar/contract/trial/referral'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { nameOf, useWrite } from '../../api/client.ts'
import { toastFailure } from '../../kit/display/toast.tsx'
import { wordsOf } from '../../shared/refused.ts'
import styles from './Referral.module.css'

const SAVED_MS = 4000
const WORDS = { enrolled: 'Enrolled', recruiter_contacted: 'Contacted' } as const

/** What is being saved of a referral. Its other switch waits for it and goes on from its answer: both are saved with one version. */
const underWay = new Map<string, Promise<Referral | null>>()

/**
 * One of the two switches of a referral. It shows what is saved, and while it is being saved says so; what was refused is put back with
 * the reason, and the list is read again.
 */
export function ReferralSwitch({ row, field }: { row: Referral; field: keyof typeof WORDS }) {
  const client = useQueryClient()
  const write = useWrite(contract.referral.edit)
  /** What it was switched to, until that is saved. */
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
      toastFailure(`${WORDS[field]} of ${name} was put back. ${wordsOf(error)}`)
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
          // Not disabled while it saves: that would throw the keyboard's focus away.
          if (wanted === null) void flip(event.currentTarget.checked)
        }}
      />
      <span className={styles.word} role="status">
        {wanted !== null ? 'Saving…' : saved ? 'Saved' : ''}
      </span>
    </span>
  )
}
