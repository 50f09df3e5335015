import { contract } from '@pillar/contract'
import type { Place } from '@pillar/contract/company/location-admin'
import { townLabel } from '@pillar/domain/company/pharmacy'
import { townLine } from '@pillar/domain/pharmacy/address'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { useRead } from '../../../api/client.ts'
import type { Bind } from '../../../kit/dialog/useFormDialog.ts'
import { LookupField } from '../../../kit/form/LookupField.tsx'
import type { PharmacyValues } from './pharmacy-values.ts'

/** Looks up a place by postcode or name and fills in the address fields, which can also be typed. */
export function PlaceField({ country, f }: { country: Country; f: Bind<PharmacyValues> }) {
  const [chosen, setChosen] = useState('')
  const place = chosen === '' ? null : (JSON.parse(chosen) as Place)
  const choose = (value: string) => {
    setChosen(value)
    if (value === '') return
    const { town, region, postcode } = JSON.parse(value) as Place
    f('town', townLabel(country)).onChange(town)
    f('region', 'State').onChange(region)
    f('postcode', LOCALES[country].postcodeName).onChange(postcode)
  }
  return (
    <LookupField
      key={country}
      {...WORDS[country]}
      name="place"
      description={place ? `${place.time_zone} time. ${place.latitude}, ${place.longitude}` : 'Fills in the address.'}
      value={chosen}
      onChange={choose}
      useOptions={OPTIONS[country]}
    />
  )
}

const WORDS: Readonly<Record<Country, { label: string; placeholder: string }>> = {
  AU: { label: 'Find the suburb', placeholder: 'Postcode or suburb' },
  GB: { label: 'Find the town', placeholder: 'Postcode or town' },
  US: { label: 'Find the place', placeholder: 'ZIP code or place' },
}

const OPTIONS = {
  AU: (term: string) => usePlaces('AU', term),
  GB: (term: string) => usePlaces('GB', term),
  US: (term: string) => usePlaces('US', term),
}

function usePlaces(country: Country, search_term: string) {
  const enabled = search_term.trim().length > 1
  const read = useRead(
    contract.locationAdmin.places,
    { country, search_term },
    { enabled, staleTime: Number.POSITIVE_INFINITY },
  )
  const options = (read.data?.data ?? []).map((place) => ({
    value: JSON.stringify(place),
    label: townLine(place),
  }))
  return { options, read }
}
