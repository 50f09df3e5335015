import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import type { AskOf } from '@pillar/contract/wire/call'
import { useState } from 'react'
import { useSend, useWrite } from '../../../api/client.ts'
import { verify } from '../../../kit/dialog/question.ts'
import { toast } from '../../../kit/display/toast.tsx'
import { useApproval } from '../approval/ApprovalNote.tsx'
import { endsWords } from '../approval/approval-words.ts'

/** The input of create; edit gets the same with id and version. */
type Fresh = AskOf<typeof calls.create>

interface Told {
  /** Gets the saved campaign's id. */
  done: (id: string) => void
  failed: (thrown: unknown) => void
}

/** Saves a campaign after the password: a new one as inactive, an edited one in place or as a copy. */
export function useCampaignSave(edited: Campaign | null, fresh: Fresh, { done, failed }: Told) {
  const [busy, setBusy] = useState(false)
  const sendNow = useSend()
  const approval = useApproval(edited?.campaign_id ?? '').data
  const create = useWrite(calls.create, {
    done: 'Campaign saved as inactive',
    ask: {
      title: `Save “${fresh.name}” as inactive?`,
      consequence: 'Nothing is sent until you activate it.',
      button: 'Save as inactive',
    },
  })
  const change = async ({ campaign_id: id, version, active }: Campaign): Promise<string | null> => {
    const { campaign_recommendation_id: _, ...changes } = fresh
    let copy: string | null = null
    const granted = await verify({
      title: `Save “${fresh.name}”?`,
      consequence: active
        ? 'Messages already queued won’t change. Your changes apply to later messages.'
        : ['Nothing is sent until the campaign is activated.', endsWords(approval)].filter(Boolean).join(' '),
      action: 'save',
      object: id,
      button: 'Save Changes',
      saveAs: { noun: 'Campaign', name: `${fresh.name} (copy)` },
      act: async ({ as, name, grant }) => {
        if (as === 'changes') await sendNow(calls.edit, { ...changes, id, version }, grant)
        else copy = (await sendNow(calls.create, { ...fresh, name: name ?? fresh.name, active: false }, grant)).id
      },
    })
    if (granted) toast(copy === null ? 'Campaign saved' : 'Campaign saved as inactive')
    return granted && (copy ?? id)
  }
  const save = async () => {
    if (busy) return
    setBusy(true)
    try {
      const id = edited ? await change(edited) : ((await create.mutateAsync({ ...fresh, active: false }))?.id ?? null)
      if (id !== null) done(id)
    } catch (thrown) {
      failed(thrown)
    } finally {
      setBusy(false)
    }
  }
  return { busy, save }
}
