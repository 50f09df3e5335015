import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { MessageInfoDialog } from '../message-info/MessageInfoDialog.tsx'
import { ConsentFormDialog } from './ConsentFormDialog.tsx'
import { EthicsDialog } from './EthicsDialog.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { StatusDialog } from './StatusDialog.tsx'
import { TrialDialog } from './TrialDialog.tsx'

/** The dialog open over the list, and its trial. */
export type Opened =
  | { dialog: 'create' }
  | {
      dialog: 'edit' | 'status' | 'consent' | 'ethics' | 'messages' | 'invite'
      trial: Pick<ClinicalTrial, 'trial_id' | 'name'>
    }

interface TrialDialogsProps {
  opened: Opened | null
  open: (opened: Opened | null) => void
}

/** The dialogs of the list of trials. A new trial leads on to its consent form and its ethics approval. */
export function TrialDialogs({ opened, open }: TrialDialogsProps) {
  const close = () => open(null)
  switch (opened?.dialog) {
    case 'create':
      return (
        <TrialDialog
          key="new"
          id={null}
          onClose={(made) => open(made ? { dialog: 'edit', trial: { trial_id: made.id, name: made.name } } : null)}
        />
      )
    case 'edit':
      return <TrialDialog key={opened.trial.trial_id} id={opened.trial.trial_id} onClose={close} />
    case 'status':
      return <StatusDialog id={opened.trial.trial_id} onClose={close} />
    case 'consent':
      return <ConsentFormDialog id={opened.trial.trial_id} onClose={close} />
    case 'invite':
      return <InviteDialog trial={opened.trial} onClose={close} />
    case 'ethics':
      return <EthicsDialog trial={opened.trial} onClose={close} />
    case 'messages': {
      const { trial_id, name } = opened.trial
      return <MessageInfoDialog filter={{ trial_id }} title={name} onClose={close} />
    }
    default:
      return null
  }
}
