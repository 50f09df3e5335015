import { contract } from '@pillar/contract'
import type { PharmacyCampaign } from '@pillar/contract/pharmacy'
import { intervalWords, reasonSentence, reasonWords } from '@pillar/domain/campaign/result-words'
import { type Country, formatMoney } from '@pillar/domain/time/locale'
import { useRead } from '../../../api/client.ts'
import { NONE } from '../figures.ts'

interface CampaignResultProps {
  campaign: PharmacyCampaign
  pharmacyId: string
  country: Country
}

/** What the campaign added at the pharmacy, in the words of the campaign's own page, or why it is unknown. */
export function CampaignResult({ campaign: { campaign_id, reach }, pharmacyId, country }: CampaignResultProps) {
  const read = useRead(contract.campaign.stats, { campaign_id, pharmacy_ids: [pharmacyId] }, { enabled: reach > 0 })
  if (reach === 0) return <span className="faint">{NONE}</span>
  if (read.isError) return <span className="faint">Could not load</span>
  const [row] = read.data?.pharmacies ?? []
  if (!row) return <span className="faint">…</span>
  const { reason, n_messaged, low, high } = row.result
  const sentence = reasonSentence(country, reason, n_messaged)
  const why = low === null || high === null ? sentence : sentence || intervalWords(country, low, high)
  return (
    <span className={reason === null ? undefined : 'faint'} title={why}>
      {reason === null ? formatMoney(country, row.revenue) : reasonWords(reason)}
      {why ? <span className="sr">. {why}</span> : null}
    </span>
  )
}
