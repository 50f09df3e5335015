import { Button } from '@mantine/core'
import { message } from '@pillar/contract/message'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { toast } from '../../kit/display/toast.tsx'
import { useCountry } from '../../session/session.ts'
import type { DialogProps } from './dialogs.tsx'
import { SendingRulesFields } from './SendingRulesFields.tsx'
import {
  changesText,
  draftOf,
  gatewayText,
  type RulesDraft,
  type RulesField,
  rulesOf,
  rulesProblems,
} from './sending-rules.ts'

/** How often one person may be written to, at what hours, and who is kept back to measure against. */
export function SendingRulesDialog({ close }: Pick<DialogProps, 'close'>) {
  const country = useCountry()
  const rules = useRead(message.rules, {})
  const [changed, setChanged] = useState<RulesDraft | null>(null)
  const [wrong, setWrong] = useState<readonly RulesField[]>([])
  const [error, setError] = useState<string | null>(null)
  const draft = changed ?? (rules.data ? draftOf(rules.data) : null)
  const changes =
    rules.data && draft && rulesProblems(draft).sentence === '' ? changesText(rules.data, rulesOf(draft)) : null
  const nothing = changes !== null && changes.length === 0
  const save = useWrite(message.saveRules, {
    ask: {
      title: 'Save the sending rules?',
      consequence: (
        <>
          {changes?.map((text) => (
            <p key={text}>{text}</p>
          ))}
          <p className="muted">This holds for every campaign, also for messages that are written but not yet sent.</p>
        </>
      ),
      button: 'Save rules',
    },
  })

  const submit = () => {
    if (!draft || save.isPending) return
    const problems = rulesProblems(draft)
    setWrong(problems.fields)
    setError(problems.sentence || null)
    if (problems.fields[0]) {
      document.getElementById(`rules-${problems.fields[0]}`)?.focus()
      return
    }
    save.mutate(rulesOf(draft), {
      onSuccess: (saved) => {
        if (!saved) return
        toast('Sending rules saved')
        close()
      },
      onError: (refused) => setError(refused.message),
    })
  }

  return (
    <Dialog
      opened
      onClose={close}
      closable={!save.isPending}
      title="Sending rules"
      size="M"
      error={error}
      footLeft={nothing ? <span className="muted">Nothing has been changed.</span> : null}
      foot={
        <>
          <Button onClick={close} disabled={save.isPending}>
            Cancel
          </Button>
          <Button variant="filled" disabled={!draft || nothing} loading={save.isPending} onClick={submit}>
            Save…
          </Button>
        </>
      }
    >
      {draft && rules.data ? (
        <>
          <p className="muted">{gatewayText(country, rules.data)}</p>
          <SendingRulesFields draft={draft} wrong={wrong} onChange={setChanged} />
        </>
      ) : rules.isError ? (
        <Failed title="Could not load the sending rules" error={rules.error} onRetry={() => void rules.refetch()} />
      ) : (
        <Loading rows={6} />
      )}
    </Dialog>
  )
}
