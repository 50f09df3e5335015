import { Switch } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Referral } from '@pillar/contract/trial/referral'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { nameOf, useWrite } from '../../api/client.ts'
import { toastFailure } from '../../kit/display/toast.tsx'
import styles from './Referral.module.css'

const SAVED_MS = 4000
const WORDS = { enrolled: 'Enrolled', recruiter_contacted: 'Contacted' } as const

/**
 * One of the two switches of a referral. It shows what is saved, and while it is being saved says so; what was refused is put back with
 * the reason, and the list is read again.
 */
export function ReferralSwitch({ row, field }: { row: Referral; field: keyof typeof WORDS }) {
  const client = useQueryClient()
  const write = useWrite(contract.referral.edit)
  const [saved, setSaved] = useState(false)
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => setSaved(false), SAVED_MS)
    return () => clearTimeout(timer)
  }, [saved])
  const wanted = write.isPending ? write.variables[field] : row[field]
  const name = `${row.first_name} ${row.last_name}`
  const flip = (next: boolean) => {
    setSaved(false)
    const { consent_id, enrolled, recruiter_contacted, version } = row
    write.mutate(
      { consent_id, enrolled, recruiter_contacted, version, [field]: next },
      {
        onSuccess: () => setSaved(true),
        onError: (error) => {
          toastFailure(`${WORDS[field]} of ${name} was put back. ${error.message}`)
          void client.invalidateQueries({ queryKey: [nameOf(contract.referral.list)] })
        },
      },
    )
  }
  return (
    <span className={styles.switch}>
      <Switch
        aria-label={`${WORDS[field]}: ${name}`}
        aria-busy={write.isPending}
        checked={wanted === true}
        onChange={(event) => {
          // Not disabled while it saves: that would throw the keyboard's focus away.
          if (!write.isPending) flip(event.currentTarget.checked)
        }}
      />
      <span className={styles.word} role="status">
        {write.isPending ? 'Saving…' : saved ? 'Saved' : ''}
      </span>
    </span>
  )
}
