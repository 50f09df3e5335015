import { Button } from '@mantine/core'
import type { CampaignOutcome } from '@pillar/contract/campaign/campaign-admin'
import { counted } from '@pillar/domain/text/sentence'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import styles from './CampaignAdmin.module.css'

/** Which campaigns of a bulk act stayed unchanged, and why. */
export function Outcomes({ refused, onClose }: { refused: readonly CampaignOutcome[]; onClose: () => void }) {
  return (
    <Dialog
      opened
      size="confirm"
      title={`${counted(refused.length, 'campaign', 'campaigns')} not changed`}
      onClose={onClose}
      foot={
        <Button variant="filled" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul className={styles.outcomes}>
        {refused.map(({ campaign_id, name, company, message }) => (
          <li key={campaign_id}>
            <b>{name}</b> <span className="muted">{company}</span>
            <br />
            {message}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
