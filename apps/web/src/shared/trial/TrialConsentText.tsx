import { consentFormLayout, type TrialConsentText as Text } from '@pillar/domain/trial/consent-form'

/** What a patient reads about a trial before they answer: the same here and on the patient's page. `dots` names the list's class. */
export function TrialConsentText({ text, dots }: { text: Text; dots?: string | undefined }) {
  const { title, intro, purpose, criteria } = consentFormLayout(text)
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
