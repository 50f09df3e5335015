import { COUNTRY_NAMES, type Country } from '@pillar/domain/time/locale'

/** A pharmacy with the fields its dialog edits: a row of the list or the answer of `info`. */
export interface PharmacyRecord {
  uuid: string
  name: string
  street_address: string | null
  town: string | null
  region: string | null
  postcode: string | null
  country: Country
  phone_number: string | null
  data_source: string | null
  features: readonly string[]
  no_guild_consent: boolean
  s8_stocktake_warning_days: number | null
  owner: { uuid: string; name: string } | null
  modules: readonly { uuid: string; external_id: string | null }[]
  version: number
}

export interface ModuleChoice {
  module_id: string
  external_id: string | null
}

/** The dialog's values, with empty text for anything missing. */
export function valuesOf(row: PharmacyRecord | null, country: Country) {
  return {
    name: row?.name ?? '',
    country: row?.country ?? country,
    street_address: row?.street_address ?? '',
    town: row?.town ?? '',
    region: row?.region ?? '',
    postcode: row?.postcode ?? '',
    phone_number: row?.phone_number ?? '',
    data_source: row?.data_source ?? '',
    owner: row?.owner?.uuid ?? '',
    names: (row?.owner ? { [row.owner.uuid]: row.owner.name } : {}) as Record<string, string>,
    module_ids: (row?.modules ?? []).map(({ uuid, external_id }): ModuleChoice => ({ module_id: uuid, external_id })),
    beta: row?.features.includes('beta') ?? false,
    no_guild_consent: row?.no_guild_consent ?? false,
    s8_stocktake_warning_days: String(row?.s8_stocktake_warning_days ?? ''),
    version: row?.version ?? 0,
  }
}

export type PharmacyValues = ReturnType<typeof valuesOf>

/** The values in the format of the calls. Only addresses with states have a region. */
export function inputOf({
  country,
  beta,
  owner,
  data_source,
  region,
  s8_stocktake_warning_days: days,
  names: _,
  ...values
}: PharmacyValues) {
  return {
    ...values,
    country_name: COUNTRY_NAMES[country],
    region: country === 'GB' ? null : region || null,
    data_source: data_source || null,
    owner: owner || null,
    s8_stocktake_warning_days: days.trim() === '' ? null : Number(days),
    features: beta ? (['beta'] as 'beta'[]) : [],
  }
}
