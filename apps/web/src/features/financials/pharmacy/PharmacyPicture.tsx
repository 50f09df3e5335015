import { financials } from '@pillar/contract/financials'
import { useRead } from '../../../api/client.ts'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import { Segments } from '../../../kit/form/Segments.tsx'
import type { Where } from '../explain/explain-target.ts'
import { ChangeParts } from '../trend/Behind.tsx'
import { TrendPicture } from '../trend/Trend.tsx'
import styles from './Pharmacy.module.css'

type Choice = 'bridge' | 'trend'

interface PharmacyPictureProps {
  id: string
  where: Where
  picture: Choice
  onPicture: (picture: Choice) => void
}

/** What changed revenue, or its 24 months against the year before; if there is no year to compare with, the months. */
export function PharmacyPicture({ id, where, picture, onPicture }: PharmacyPictureProps) {
  const asked = { pharmacy_ids: [id], ...where.choice }
  const parts = useRead(financials.changeParts, asked)
  const compared = parts.data === undefined || parts.data.parts !== null
  const shown = compared ? picture : 'trend'
  const trend = useRead(financials.trend, { figure: 'revenue', ...asked }, { enabled: shown === 'trend' })
  const choice = compared ? (
    <Segments
      label="Picture"
      options={[
        { value: 'bridge', label: 'Bridge' },
        { value: 'trend', label: 'Trend' },
      ]}
      value={shown}
      onChange={onPicture}
    />
  ) : null
  const { isError, data } = shown === 'bridge' ? parts : trend
  const failed = isError && data === undefined
  return (
    <div className={styles.picture}>
      {failed && choice ? <div className={styles.choice}>{choice}</div> : null}
      {shown === 'bridge' ? (
        <ChangeParts pharmacyIds={[id]} where={where} tools={choice} />
      ) : (
        <Loaded read={trend} what="the trend">
          {(reply) => <TrendPicture reply={reply} country={where.country} whose={id} tools={choice} />}
        </Loaded>
      )}
    </div>
  )
}
