import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { contactNote } from '@pillar/domain/trial/agreement'
import type { TrialConsentText as Text } from '@pillar/domain/trial/consent-form'
import { Lock } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import { TrialConsentText } from '../../shared/trial/TrialConsentText.tsx'
import styles from './ConsentPreview.module.css'

const KNOWN = ['First Name', 'Last Name', 'Phone Number', 'Email', 'Postcode']

/** The consent page of a trial on a phone, with an invented pharmacy; nothing in it works. */
export function ConsentPreview({ text, trial }: { text: Text; trial: Pick<ClinicalTrial, 'name' | 'recruiter'> }) {
  const { name } = trial.recruiter
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the dialog around it scrolls by keyboard
    <figure className={styles.phone} aria-label="Preview of the consent form" tabIndex={0}>
      <div className={styles.pharmacy}>
        <strong>Your pharmacy</strong>
        <span>Its address and phone number</span>
      </div>
      <div className={styles.page}>
        <TrialConsentText text={text} trial={trial.name} dots={styles.dots} />
        {KNOWN.map((label) => (
          <div key={label} className={styles.field}>
            <span>{label}</span>
            <span>
              <Icon of={Lock} size={14} /> On record
            </span>
          </div>
        ))}
        <p>{contactNote({ trial: trial.name, pharmacy: 'your pharmacy', recruiter: name })}</p>
        <div className={styles.go}>Sign Up Now</div>
        <p className={styles.foot}>{name} privacy policy</p>
      </div>
    </figure>
  )
}
