import { isRecall, RECALL_TEXT } from '@pillar/domain/trial/agreement'
import { consentFormLayout, type TrialConsentText as Text } from '@pillar/domain/trial/consent-form'

interface TrialConsentTextProps {
  text: Text
  /** The trial's name, because the page of a 'recall' trial has fixed wording. */
  trial: string
  /** The class of the list. */
  dots?: string | undefined
}

/** What a patient reads about a trial before answering: on the patient's page, and in support's preview. All of it is shown as text. */
export function TrialConsentText({ text, trial, dots }: TrialConsentTextProps) {
  const { title, intro, purpose, criteria } = consentFormLayout(text)
  if (isRecall(trial)) {
    return (
      <>
        <h1>{title}</h1>
        <Paragraphs lines={RECALL_TEXT} />
      </>
    )
  }
  return (
    <>
      <h1>{title}</h1>
      <Paragraphs lines={intro} />
      <h2>{purpose.heading}</h2>
      <Paragraphs lines={purpose.paragraphs} />
      <h2>{criteria.heading}</h2>
      <ul className={dots}>
        {Object.entries(criteria.items).map(([at, item]) => (
          <li key={at}>{item}</li>
        ))}
      </ul>
    </>
  )
}

function Paragraphs({ lines }: { lines: readonly string[] }) {
  return Object.entries(lines).map(([at, line]) => <p key={at}>{line}</p>)
}
