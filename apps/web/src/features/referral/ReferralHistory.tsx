import { contract } from '@pillar/contract'
import { formatMoney } from '@pillar/domain/time/locale'
import { useRead } from '../../api/client.ts'
import { useHomeCountry } from '../../frame/title.ts'
import { momentOf } from '../../kit/display/dates.ts'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './Referral.module.css'
import { EVENT_WORDS } from './referral-words.ts'

/** Who switched what, and when, and the resulting rebates. */
export function ReferralHistory({ consentId }: { consentId: string }) {
  const country = useCountry()
  const home = useHomeCountry()
  const read = useRead(contract.referral.history, { consent_id: consentId }, { staleTime: 0 })
  const money = (amount: number) => formatMoney(home, amount, Number.isInteger(amount) ? 0 : 2)
  return (
    <Loaded read={read} what="the history">
      {({ events, rebates }) => (
        <div className={styles.history}>
          <section aria-label="What happened">
            <h3>What happened</h3>
            <ol>
              {events.map(({ at, event, by }) => (
                <li key={`${at} ${event}`}>
                  <span>{momentOf(country, at)}</span>
                  <b>{EVENT_WORDS[event]}</b>
                  <span>{by ?? (event === 'contacted' ? '' : 'The patient')}</span>
                </li>
              ))}
            </ol>
          </section>
          <section aria-label="Rebates">
            <h3>Rebates</h3>
            {rebates.length === 0 ? <p>Nothing is owed for this referral yet.</p> : null}
            <ol>
              {rebates.map(({ at, kind, rebate, sr_rebate }) => (
                <li key={at}>
                  <span>{momentOf(country, at)}</span>
                  <b>{rebate < 0 ? 'Taken back' : kind === 'refer' ? 'For the referral' : 'For the enrolment'}</b>
                  <span>
                    {money(rebate)} to the pharmacy, {money(sr_rebate)} to the platform
                  </span>
                </li>
              ))}
            </ol>
          </section>
        </div>
      )}
    </Loaded>
  )
}
