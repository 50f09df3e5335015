import type { ReplyOf } from '@pillar/contract'
import { financials } from '@pillar/contract/financials'
import { formatPercent } from '@pillar/domain/time/locale'
import type { ReactNode } from 'react'
import { useRead } from '../../../api/client.ts'
import { Bridge } from '../../../kit/chart/draw/Bridge.tsx'
import { LineChart } from '../../../kit/chart/LineChart.tsx'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import type { Where } from '../explain/explain-target.ts'
import { unitText } from '../figures.ts'
import { curveOf, curveTitle, followedText, partsCaption, partsTitle, signedMoney } from './behind-model.ts'

interface BehindProps {
  /** Beside the title, such as a chart selector. */
  tools?: ReactNode
  pharmacyIds: readonly string[]
  where: Where
}

/** What changed revenue from a year earlier: volume, price and mix. */
export function ChangeParts({ pharmacyIds, where: { choice, country }, tools }: BehindProps) {
  const answer = useRead(financials.changeParts, { pharmacy_ids: [...pharmacyIds], ...choice })
  return (
    <Loaded read={answer} what="what moved it" rows={4}>
      {(reply) => <PartsPicture reply={reply} country={country} tools={tools} />}
    </Loaded>
  )
}

interface PartsPictureProps extends Pick<BehindProps, 'tools'> {
  reply: ReplyOf<typeof financials.changeParts>
  country: Where['country']
}

function PartsPicture({ reply, country, tools }: PartsPictureProps) {
  const { now, previous, parts, formulas } = reply
  if (now === null || previous === null || parts === null) return null
  return (
    <Bridge
      title={partsTitle(reply, country)}
      caption={partsCaption(reply, country)}
      head="Revenue"
      tools={tools}
      from={{ label: 'Year before', value: previous }}
      parts={[
        { label: 'Volume', value: parts.volume },
        { label: 'Price', value: parts.price },
        { label: 'Mix', value: parts.mix },
      ]}
      to={{ label: 'This period', value: now }}
      format={(value) => unitText(country, 'money', value)}
      formatPart={(value) => signedMoney(country, value)}
      note={`Volume: ${formulas.volume}. Price: ${formulas.price}. Mix: ${formulas.mix}.`}
    />
  )
}

/** How long patients continue a medicine they began. */
export function Persistence({ pharmacyIds, where: { choice, country } }: BehindProps) {
  const answer = useRead(financials.persistence, { pharmacy_ids: [...pharmacyIds], ...choice })
  return (
    <Loaded read={answer} what="how long patients stay" rows={4}>
      {(reply) => <CurvePicture reply={reply} country={country} />}
    </Loaded>
  )
}

interface CurvePictureProps {
  reply: ReplyOf<typeof financials.persistence>
  country: Where['country']
}

function CurvePicture({ reply, country }: CurvePictureProps) {
  const [curve] = reply.curves
  if (!curve) return null
  const { days, shares, band } = curveOf(curve)
  const known = curve.until !== null
  const percent = (value: number) => formatPercent(country, value)
  return (
    <LineChart
      title={curveTitle(curve, country)}
      caption={`How long do patients stay? ${reply.title}, ${reply.period.label}, by days since they began`}
      head="Day"
      x={known ? days.map(String) : []}
      series={[{ label: 'Still taking it', values: known ? shares : [], colour: '--d1', band: known ? band : [] }]}
      format={(value) => formatPercent(country, value, 0)}
      formatFull={percent}
      max={1}
      stepped
      note={known ? followedText(curve, country) : ''}
    />
  )
}
