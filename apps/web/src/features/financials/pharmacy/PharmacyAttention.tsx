import type { PharmacyAttention as Item } from '@pillar/contract/pharmacy'
import type { Country } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { CircleCheck, CircleX, Repeat, TriangleAlert } from 'lucide-react'
import { Icon } from '../../../kit/display/Icon.tsx'
import { LinkButton } from '../../../kit/display/LinkButton.tsx'
import styles from './Pharmacy.module.css'
import { attentionWords, type PharmacyReply } from './pharmacy-words.ts'

const ICONS = { bad: CircleX, caution: TriangleAlert, info: Repeat } as const

/** What needs attention now, worst first, each with its next step. */
export function PharmacyAttention({ reply, country }: { reply: PharmacyReply; country: Country }) {
  const { attention } = reply
  const title = attention.length === 1 ? '1 thing needs attention' : `${attention.length} things need attention`
  return (
    <section className={styles.attention} aria-label="What needs attention">
      <h2>{attention.length === 0 ? 'Nothing needs attention' : title}</h2>
      {attention.length === 0 ? (
        <p className={styles.fine}>
          <Icon of={CircleCheck} /> Uploads are up to date and no drug type’s adherence fell by 3 points or more.
        </p>
      ) : (
        <ul>
          {attention.map((item) => {
            const { tone, title: what, detail } = attentionWords(item, reply, country)
            return (
              <li key={`${item.kind} ${item.name ?? ''}`}>
                <span className={styles[tone]}>
                  <Icon of={ICONS[tone]} size={18} />
                </span>
                <span className={styles.what}>
                  <b>{what}</b>
                  <small>{detail}</small>
                </span>
                <NextStep item={item} reply={reply} />
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

function NextStep({ item: { kind }, reply }: { item: Item; reply: PharmacyReply }) {
  const { pharmacy_id: pharmacy, phone_number: phone } = reply
  if (kind === 'counts_overdue') return <Step to="/s8management" search={{ pharmacy }} words="Open register" />
  if (kind === 'repeats_due' || kind === 'adherence_fell') {
    return <Step to="/campaigns" search={{ dialog: 'new-campaign', pharmacy }} words="New campaign" />
  }
  if (kind !== 'upload_failed' && phone) {
    return (
      <LinkButton size="xs" href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
        Call
      </LinkButton>
    )
  }
  return <UploadsStep />
}

const Step = ({ to, search, words }: { to: string; search: object; words: string }) => (
  <LinkButton size="xs" to={to} search={search}>
    {words}
  </LinkButton>
)

/** Opens the tab below; period and chart stay unchanged. */
function UploadsStep() {
  const now = useSearch({ strict: false })
  return <Step to="." search={{ ...now, tab: 'uploads' }} words="See uploads" />
}
