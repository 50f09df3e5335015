import { Textarea } from '@mantine/core'
import { OPT_OUT_TEXT, PART_UNITS, type SmsEncoding } from '@pillar/domain/message/sms-text'
import { formatNumber } from '@pillar/domain/time/locale'
import { useState } from 'react'
import type { DialogProps } from '../../frame/dialog-address.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './SmsCost.module.css'
import { countedText, ENCODING_NAMES, exampleCost, OPT_OUT_LENGTH, partPrice } from './sms-cost.ts'

const EXAMPLE = 'Hi {First Name}, your next repeat is due at {Pharmacy Name}. Call {Pharmacy Number}.'
const TEXTS = 1000

/** What a text costs and how its parts are counted, with an example that updates as it is typed. */
export function SmsCostDialog({ close }: Pick<DialogProps, 'close'>) {
  const country = useCountry()
  const [message, setMessage] = useState(EXAMPLE)
  const { count, forced } = countedText(country, message)
  return (
    <Dialog opened onClose={close} title="How text parts are counted" size="M">
      <p>
        A text costs {partPrice(country)} a part. Long texts are split into parts, each charged, even if delivery fails.
        Emails are free.
      </p>
      <PartTable />
      <ul className={styles.points}>
        <li>
          Plain characters are those of the phones’ own alphabet: English letters, digits and common signs. These count
          twice: <code>{'^ { } \\ [ ] ~ | €'}</code>. One emoji or other special character turns the whole text into
          special characters.
        </li>
        <li>
          ‘{OPT_OUT_TEXT}’ is added to every text and counts {OPT_OUT_LENGTH} characters, and one more for the line
          before it. A pharmacy whose sender is a name cannot be answered: its texts end with a link to opt out instead,
          which is longer. The cost of a campaign counts each pharmacy’s own.
        </li>
        <li>
          A field such as {'{First Name}'} is estimated with an average length. The bill counts each text as that
          patient gets it, so a long name can cost another part.
        </li>
      </ul>
      <Textarea
        label="Try it"
        description="Nothing is sent or kept."
        autosize
        minRows={3}
        maxRows={8}
        maxLength={5000}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <p className={styles.counted} aria-live="polite">
        <b>{count}</b>
        {forced ? <span>{forced}</span> : null}
      </p>
      <p className="muted">
        {formatNumber(country, TEXTS)} texts of one part cost {exampleCost(country, TEXTS, 1)}; of two parts,{' '}
        {exampleCost(country, TEXTS, 2)}.
      </p>
    </Dialog>
  )
}

/** How many characters fit into a part. */
function PartTable() {
  return (
    <table className={styles.table}>
      <caption className="sr">Characters a part holds</caption>
      <thead>
        <tr>
          <th scope="col">Characters in the text</th>
          <th scope="col" className="num">
            One part holds
          </th>
          <th scope="col" className="num">
            Each of several holds
          </th>
        </tr>
      </thead>
      <tbody>
        {(Object.keys(PART_UNITS) as SmsEncoding[]).map((encoding) => (
          <tr key={encoding}>
            <th scope="row">{ENCODING_NAMES[encoding]}</th>
            <td className="num">{PART_UNITS[encoding].single}</td>
            <td className="num">{PART_UNITS[encoding].joined}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
