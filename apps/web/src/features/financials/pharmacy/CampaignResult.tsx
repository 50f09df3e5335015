import { contract } from '@pillar/contract'
import type { PharmacyCampaign } from '@pillar/contract/pharmacy'
import { type Country, formatMoney } from '@pillar/domain/time/locale'
import { useRead } from '../../../api/client.ts'
import { NONE } from '../figures.ts'

/** Under so many patients nothing can be told of what a campaign did. */
const TOO_FEW_UNDER = 100

interface CampaignResultProps {
  campaign: PharmacyCampaign
  pharmacyId: string
  country: Country
}

/** What the campaign added at the pharmacy, as the campaign's own page says it. */
export function CampaignResult({ campaign: { campaign_id, reach }, pharmacyId, country }: CampaignResultProps) {
  const enough = reach >= TOO_FEW_UNDER
  const read = useRead(contract.campaign.stats, { campaign_id, pharmacy_ids: [pharmacyId] }, { enabled: enough })
  if (reach === 0) return <span className="faint">{NONE}</span>
  if (!enough) return <span className="faint">Too few to tell</span>
  if (read.isError) return <span className="faint">Could not load</span>
  const [row] = read.data?.pharmacies ?? []
  if (!row) return <span className="faint">…</span>
  return row.revenue === null ? <span className="faint">Too few to tell</span> : formatMoney(country, row.revenue)
}
