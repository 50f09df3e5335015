import { Button } from '@mantine/core'
import type { contract, ReplyOf } from '@pillar/contract'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import styles from './User.module.css'

interface LinkFailuresProps {
  answer: ReplyOf<typeof contract.userLink.linkMany>
  onClose: () => void
}

/** The links that could not be made, each with its reason; stays until it is closed. */
export function LinkFailures({ answer: { failed, message }, onClose }: LinkFailuresProps) {
  return (
    <Dialog
      opened
      size="M"
      title="Some locations were not linked"
      onClose={onClose}
      error={message.split('\n')[0] ?? ''}
      foot={
        <Button variant="filled" onClick={onClose}>
          Close
        </Button>
      }
    >
      <table className={styles.failures}>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Location</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {failed.map((one) => (
            <tr key={`${one.login_id} ${one.location_id}`}>
              <td>{one.user}</td>
              <td>{one.location}</td>
              <td>{one.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
