import { Button } from '@mantine/core'
import { contract, type ReplyOf } from '@pillar/contract'
import { addressLine } from '@pillar/domain/pharmacy/address'
import { CHECK_WORDS } from '@pillar/domain/s8/entry'
import { joined, listOf } from '@pillar/domain/text/sentence'
import { formatDay, parseDay } from '@pillar/domain/time/day'
import { type Country, formatCounted, formatDate, formatNumber, formatSpan } from '@pillar/domain/time/locale'
import { Link, useSearch } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useRead } from '../../api/client.ts'
import { momentIn } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { LinkButton } from '../../kit/display/LinkButton.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { Crumbs } from '../../kit/display/PageHead.tsx'
import { useScrollFocus } from '../../kit/display/useScrollFocus.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { useListState } from '../../kit/list/useListState.ts'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'
import styles from './RegisterPrint.module.css'
import type { S8Search } from './s8-search.ts'

type RegisterPage = ReplyOf<typeof contract.s8.page>

/** The register of one product over some days, for an inspector. */
export function RegisterPrint({ pharmacy, product }: { pharmacy: string; product: string }) {
  const { from, to } = useSearch({ strict: false }) as S8Search
  const { change } = useListState<S8Search>()
  const country = useCountry()
  const today = todayOf(country)
  const start_date = from ?? formatDay(today - 90)
  const end_date = to ?? formatDay(today)
  const read = useRead(
    contract.s8.page,
    { location_uuid: pharmacy, product_id: product, start_date, end_date },
    { keepPrevious: true },
  )
  const name = read.data?.location.name ?? 'Pharmacy'
  return (
    <Page
      title={`S8 Management: ${name}`}
      heading={
        <Crumbs
          up={[
            <Link key="s8" to="." search={{} as never}>
              S8 Management
            </Link>,
            <Link key="pharmacy" to="." search={{ pharmacy } as never}>
              {name}
            </Link>,
          ]}
        >
          Register page
        </Crumbs>
      }
      actions={
        <Button
          variant="filled"
          leftSection={<Icon of={Printer} />}
          disabled={!read.data}
          onClick={() => window.print()}
        >
          Print
        </Button>
      }
    >
      <div className={styles.days}>
        <DateField label="From" value={start_date} onChange={(day) => change({ from: day })} />
        <DateField label="To" value={end_date} onChange={(day) => change({ to: day })} min={start_date} />
      </div>
      <Loaded read={read} what="the register" back={<LinkButton to="/s8management">All pharmacies</LinkButton>}>
        {(page) => (
          <Scrolled>
            <Sheet page={page} country={country} />
          </Scrolled>
        )}
      </Loaded>
    </Page>
  )
}

/** The page scrolls in a box of its own; print includes all of it. */
function Scrolled({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const scrolling = useScrollFocus(box, 'Register page')
  return (
    <div ref={box} className={styles.scroll} {...scrolling}>
      {children}
    </div>
  )
}

function Sheet({ page, country }: { page: RegisterPage; country: Country }) {
  const { location, product, entries, check, chain } = page
  const box = useRef<HTMLDivElement>(null)
  const scrolling = useScrollFocus(box, 'Entries')
  const zone = location.time_zone
  const day = (text: string) => formatDate(country, parseDay(text)!)
  const quantity = (value: number) => formatNumber(country, value, value % 1 ? 2 : 0)
  const sum = (way: 'in' | 'out') => entries.reduce((total, one) => total + one[way], 0)
  return (
    <article className={styles.sheet} aria-label="Register page">
      <header>
        <h2>Register of Schedule 8 medicines</h2>
        <dl>
          <Fact label="Pharmacy" value={location.name} />
          <Fact label="Address" value={addressLine(location)} />
          <Fact label="Product" value={`${product.product_name}${product.brand ? ` (${product.brand})` : ''}`} />
          <Fact label="Counted in" value={product.unit ?? 'units'} />
          <Fact label="Period" value={formatSpan(country, parseDay(page.start_date)!, parseDay(page.end_date)!)} />
          <Fact label="Entries" value={`${entries.length}, in ${quantity(sum('in'))}, out ${quantity(sum('out'))}`} />
        </dl>
      </header>
      <div ref={box} className={styles.wide} {...scrolling}>
        <table aria-label="Entries">
          <thead>
            <tr>
              {['No.', 'Date and time', 'Entry', 'Name and address', 'Reference'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              {['In', 'Out', 'Balance'].map((head) => (
                <th key={head} scope="col" className="num">
                  {head}
                </th>
              ))}
              {['Signed by', 'Prescriber', 'Note'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Total label={`Opening balance on ${day(page.start_date)}`} value={quantity(page.opening_balance)} />
            {entries.map((entry) => (
              <tr key={entry.transaction_product_id} data-bad={entry.balance_check_status === 'incorrect' || undefined}>
                <td>{entry.transaction_product_id}</td>
                <td>{momentIn(country, zone, entry.date)}</td>
                <td>{entry.action}</td>
                <td>{joined([entry.name, entry.address])}</td>
                <td>{entry.reference_number}</td>
                <td className="num">{entry.in === 0 ? '' : quantity(entry.in)}</td>
                <td className="num">{entry.out === 0 ? '' : quantity(entry.out)}</td>
                <td className="num">
                  {quantity(entry.balance)}
                  {entry.balance_check_status === 'incorrect' ? (
                    <small>
                      {CHECK_WORDS.incorrect}
                      {entry.stated_balance === null ? '' : `: ${quantity(entry.stated_balance)} recorded`}
                    </small>
                  ) : null}
                </td>
                <td>
                  {entry.pharmacist}
                  {entry.second_signer ? ` and ${entry.second_signer}` : ''}
                  {entry.waits_for_countersign ? <small>Not countersigned</small> : null}
                </td>
                <td>{entry.doctor}</td>
                <td>{entry.note}</td>
              </tr>
            ))}
            <Total label={`Closing balance on ${day(page.end_date)}`} value={quantity(page.closing_balance)} />
          </tbody>
        </table>
      </div>
      {page.cut ? <p>There are more entries than one page holds. Please choose fewer days.</p> : null}
      <footer>
        {page.contradicted.length > 0 ? (
          <p>
            {page.contradicted.length === 1 ? 'Entry' : 'Entries'} {listOf(page.contradicted.map(String))}{' '}
            {page.contradicted.length === 1 ? 'was' : 'were'} sent again with other content. This page shows what
            arrived first; what was sent later is kept as evidence.
          </p>
        ) : null}
        <p>
          Printed {momentIn(country, zone, page.printed_at)} by {page.printed_by}. Times are those of the pharmacy (
          {zone}).
        </p>
        <p>
          Entries in the pharmacy’s chain: {formatNumber(country, chain.entries)}. Last link: <code>{chain.head}</code>
        </p>
        <p>
          {check.fault
            ? `This register is not as it was written. ${check.fault}`
            : check.checked_at
              ? `Checked and found intact ${momentIn(country, zone, check.checked_at)}: ${formatCounted(country, check.entries, 'entry', 'entries')}.`
              : 'Not checked yet.'}
        </p>
      </footer>
    </article>
  )
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

const Total = ({ label, value }: { label: string; value: string }) => (
  <tr className={styles.total}>
    <th scope="row" colSpan={7}>
      {label}
    </th>
    <td className="num">{value}</td>
    <td colSpan={3} />
  </tr>
)
