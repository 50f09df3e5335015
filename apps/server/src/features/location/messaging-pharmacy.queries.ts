import type { MergeValues } from '@pillar/domain/message/merge-field'
import { addressLines } from '@pillar/domain/pharmacy/address'
import type { Country } from '@pillar/domain/time/locale'
import type { LocalCalendar } from '@pillar/domain/time/quiet-hours'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { calendarOf } from '../../db/local-calendar.ts'

/** A pharmacy as its messages name it. */
export interface MessagingPharmacy {
  id: number
  uuid: string
  name: string
  country: Country
  time_zone: string
  /** The clock and public holidays that its sending hours follow. */
  calendar: LocalCalendar
  data_to: string | null
  /** Its own, otherwise its company's; null for the installation's. */
  sms_sender: string | null
  values: MergeValues
}

/** The given pharmacies of the scope, by internal id, without removed ones. */
export async function messagingPharmacies(tx: Tx, ids: readonly number[]): Promise<MessagingPharmacy[]> {
  const { rows } = await sql<
    Omit<MessagingPharmacy, 'values' | 'calendar'> &
      Record<'street_address' | 'town' | 'region' | 'postcode' | 'phone_number', string | null>
  >`
    select l.id, l.uuid, l.name, l.country, l.time_zone, l.data_to, coalesce(l.sms_sender, s.sms_sender) as sms_sender, l.street_address,
      l.town, l.region, l.postcode, l.phone_number
    from location l left join messaging_setting s on s.company_id = l.company_id
    where l.id = any(${[...ids]}::bigint[]) and l.removed_at is null order by l.id`.execute(tx)
  return rows.map(({ street_address, town, region, postcode, phone_number, ...row }) => ({
    ...row,
    calendar: calendarOf({ ...row, region, postcode }),
    values: pharmacyValues({ ...row, street_address, town, region, postcode, phone_number }),
  }))
}

/** The values of a message's fields at a pharmacy: '12 Sturt St, Ballarat VIC 3350'. */
export function pharmacyValues(place: {
  name: string
  street_address: string | null
  town: string | null
  region: string | null
  postcode: string | null
  phone_number: string | null
}): MergeValues {
  return {
    pharmacy_name: place.name,
    pharmacy_address: addressLines(place).join(', '),
    pharmacy_number: place.phone_number,
  }
}
