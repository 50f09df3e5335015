import { Button, Popover } from '@mantine/core'
import type { Day } from '@pillar/domain/time/day'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { ChevronDown, CircleAlert, FlaskConical, Info } from 'lucide-react'
import { useState } from 'react'
import type { ReadOf } from '../../api/client.ts'
import type { OpenDialog } from '../../frame/dialog-address.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed } from '../../kit/display/states.tsx'
import { CheckList } from '../../kit/form/CheckList.tsx'
import { Chip } from '../../kit/list/chip/Chip.tsx'
import { PeriodPicker } from '../../kit/period/PeriodPicker.tsx'
import { CALENDAR } from '../../kit/period/period-rules.ts'
import { partPrice } from '../sending/sms-cost.ts'
import styles from './CampaignsPage.module.css'
import { type CampaignsSearch, type Filters, periodSearch, pharmacySearch } from './search.ts'

interface PharmacyName {
  uuid: string
  name: string
}

interface BarProps {
  filters: Filters
  pharmacies: readonly PharmacyName[]
  chosen: readonly PharmacyName[]
  country: Country
  today: Day
  rules: ReadOf<{ simulated: boolean }>
  /** The names of the pharmacies. */
  named: ReadOf<unknown>
  change: (change: Partial<CampaignsSearch>) => void
  open: OpenDialog
}

/** Period, pharmacies, and the price of a text. */
export function CampaignsFilterBar(props: BarProps) {
  const { filters, country, today, rules, change, open } = props
  return (
    <section className={styles.bar} aria-label="Filters">
      <PeriodPicker
        rules={CALENDAR}
        country={country}
        today={today}
        value={filters.choice}
        onChange={(choice) => change(periodSearch(choice, today))}
      />
      <PharmacyChip {...props} />
      <span className={styles.cost}>
        {rules.data?.simulated ? (
          <span className={styles.simulated}>
            <Icon of={FlaskConical} size={15} /> Test mode: no texts are sent.
          </span>
        ) : null}
        {rules.isError && !rules.data ? (
          <span className={styles.simulated}>
            <Icon of={CircleAlert} size={15} /> Couldn't load sending status.{' '}
            <button type="button" className={styles.link} onClick={() => void rules.refetch()}>
              Try again
            </button>
          </span>
        ) : null}
        <span className={styles.price}>
          <Icon of={Info} size={15} /> A text costs {partPrice(country)} a part.{' '}
          <button type="button" className={styles.link} onClick={() => open('sms-cost')}>
            How parts are counted
          </button>
        </span>
      </span>
    </section>
  )
}

/** 'All 44 pharmacies', or the selected ones with an ×. */
function PharmacyChip({ pharmacies, chosen, country, named, change }: BarProps) {
  const [opened, setOpened] = useState(false)
  const all = chosen.length === pharmacies.length
  const every = pharmacies.length === 1 ? '1 pharmacy' : `All ${formatNumber(country, pharmacies.length)} pharmacies`
  const toggle = () => setOpened((was) => !was)
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus width="min(340px, 100vw - 16px)">
      <Popover.Target>
        {all ? (
          <button type="button" className={styles.chip} onClick={toggle} aria-haspopup="dialog">
            {pharmacies.length === 0 ? 'All pharmacies' : every} <Icon of={ChevronDown} size={14} />
          </button>
        ) : (
          <Chip
            label="Pharmacies"
            value={chosenText(country, chosen)}
            opens
            onClick={toggle}
            onRemove={() => change({ pharmacies: undefined })}
          />
        )}
      </Popover.Target>
      <Popover.Dropdown className={styles.panel} aria-label="Pharmacies">
        {named.isError && pharmacies.length === 0 ? (
          <Failed title="Could not load the pharmacies" error={named.error} onRetry={() => void named.refetch()} />
        ) : (
          <Picks
            pharmacies={pharmacies}
            chosen={chosen}
            onShow={(ids) => {
              setOpened(false)
              change(pharmacySearch(pharmacies, ids))
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

interface PicksProps {
  pharmacies: readonly PharmacyName[]
  chosen: readonly PharmacyName[]
  onShow: (ids: string[]) => void
}

/** The pharmacies to tick; the page does not change before Show. */
function Picks({ pharmacies, chosen, onShow }: PicksProps) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(() => new Set(chosen.map(({ uuid }) => uuid)))
  const options = pharmacies.map(({ uuid, name }) => ({ value: uuid, label: name }))
  return (
    <>
      <CheckList label="Pharmacies" many="pharmacies" options={options} checked={picked} onChange={setPicked} />
      <div className={styles.panelFoot}>
        <Button
          variant="filled"
          size="xs"
          disabled={picked.size === 0}
          title={picked.size === 0 ? 'Please select at least one pharmacy' : undefined}
          onClick={() => onShow([...picked])}
        >
          Show {picked.size === 1 ? '1 pharmacy' : `${picked.size.toLocaleString('en-AU')} pharmacies`}
        </Button>
      </div>
    </>
  )
}

/** The name of one, or the number. */
function chosenText(country: Country, chosen: readonly PharmacyName[]): string {
  return chosen.length === 1 ? (chosen[0]?.name ?? '') : formatNumber(country, chosen.length)
}
