import { contract } from '@pillar/contract'
import type { Country } from '@pillar/domain/time/locale'
import { useEffect } from 'react'
import { useRead } from '../api/client.ts'
import { useCountry } from '../session/session.ts'

/** How soon the names are asked for again if they could not be read. */
const AGAIN_MS = 20_000

/**
 * This installation's names and contacts, which do not change while a page is open. If they could not be read they are asked for again, because
 * the link to the Outbox and the currency of rebates depend on them, and nothing on the page would say that they are missing.
 */
export function usePortalInfo() {
  return useRead(
    contract.portal.info,
    {},
    {
      staleTime: Number.POSITIVE_INFINITY,
      every: (known) => (known ? false : AGAIN_MS),
    },
  )
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
