import { contract } from '@pillar/contract'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { CirclePause, CirclePlay, Download, FileText, MessagesSquare, Pencil, Send, ShieldCheck } from 'lucide-react'
import { send } from '../../api/client.ts'
import { downloadPdf } from '../../api/download.ts'
import { toast } from '../../kit/display/toast.tsx'
import type { Act } from '../../kit/list/acts.tsx'
import type { Opened } from './TrialDialogs.tsx'

/** The acts on a trial. */
export function useTrialActs(open: (opened: Opened) => void): (trial: ClinicalTrial) => Act[] {
  return (trial) => [
    { label: 'Edit', icon: Pencil, run: () => open({ dialog: 'edit', trial }) },
    trial.active
      ? { label: 'Deactivate', icon: CirclePause, run: () => open({ dialog: 'status', trial }) }
      : {
          label: 'Activate',
          icon: CirclePlay,
          disabled: trial.not_ready || undefined,
          run: () => open({ dialog: 'status', trial }),
        },
    {
      label: 'Invite eligible patients',
      icon: Send,
      disabled: trial.active ? undefined : 'The trial is not active',
      run: () => open({ dialog: 'invite', trial }),
    },
    {
      label: trial.consent_form_version === null ? 'Create consent form' : 'Edit consent form',
      icon: FileText,
      run: () => open({ dialog: 'consent', trial }),
    },
    { label: 'Message info', icon: MessagesSquare, run: () => open({ dialog: 'messages', trial }) },
    { label: 'Record ethics approval', icon: ShieldCheck, run: () => open({ dialog: 'ethics', trial }) },
    {
      label: 'Download ethics approval',
      icon: Download,
      disabled: trial.ethics ? undefined : 'No ethics approval is recorded yet',
      run: async () => {
        const file = await send(contract.trialEthics.document, { trial_id: trial.trial_id })
        downloadPdf(file.filename, file.base64)
        toast(`${file.filename} downloaded`)
      },
    },
  ]
}
