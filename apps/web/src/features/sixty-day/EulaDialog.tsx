import { Button, Checkbox } from '@mantine/core'
import { session } from '@pillar/contract/access/session'
import { EULA_VERSION } from '@pillar/domain/access/eula'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { continueSession } from '../../session/session.ts'
import styles from './SixtyDay.module.css'

/** The agreement, until it is confirmed: the server records who agreed to which version and when. */
export function EulaDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [read, setRead] = useState(false)
  const confirm = useWrite(session.confirmEula)
  const agree = async () => {
    await confirm.mutateAsync({}).then(
      () => continueSession(),
      () => {},
    )
  }
  return (
    <Dialog
      opened={opened}
      size="M"
      title="End User License Agreement"
      onClose={onClose}
      error={confirm.isError ? confirm.error.message : null}
      foot={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button variant="filled" disabled={!read} loading={confirm.isPending} onClick={() => void agree()}>
            Confirm
          </Button>
        </>
      }
    >
      <iframe className={styles.eula} src="/EULA.pdf#navpanes=0&view=FitH" title="End User License Agreement" />
      <p className={styles.eulaLink}>
        <a href="/EULA.pdf" target="_blank" rel="noreferrer">
          Open the agreement in a new tab
        </a>
        <span className="muted">{EULA_VERSION}</span>
      </p>
      <Checkbox
        label="I have read the agreement and accept it for myself and my company"
        checked={read}
        onChange={(event) => setRead(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
