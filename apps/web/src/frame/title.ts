import { contract } from '@pillar/contract'
import type { Country } from '@pillar/domain/time/locale'
import { useEffect } from 'react'
import { useRead } from '../api/client.ts'
import { useCountry } from '../session/session.ts'

/** This installation's names and contacts, which do not change while a page is open. */
export function usePortalInfo() {
  return useRead(contract.portal.info, {}, { staleTime: Number.POSITIVE_INFINITY })
}

/** The product's name on this installation. */
export function useProductName(): string {
  return usePortalInfo().data?.product_name ?? 'Pillar'
}

/** The country of this installation: rebates of trials are in its currency, whatever the reader and the pharmacy. */
export function useHomeCountry(): Country {
  const own = useCountry()
  return usePortalInfo().data?.country ?? own
}

/** Sets the document's title to '<page> - <product>'. */
export function useTitle(page: string): void {
  const product = useProductName()
  useEffect(() => {
    document.title = `${page} - ${product}`
  }, [page, product])
}
