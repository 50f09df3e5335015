import { contract } from '@pillar/contract'
import { useEffect } from 'react'
import { useRead } from '../api/client.ts'

/** Names and contacts of this installation; they do not change while a page is open. */
export function usePortalInfo() {
  return useRead(contract.portal.info, {}, { staleTime: Number.POSITIVE_INFINITY })
}

/** The product's name as this installation has it. */
export function useProductName(): string {
  return usePortalInfo().data?.product_name ?? 'Pillar'
}

/** '<page> - <product>' as the document's title. */
export function useTitle(page: string): void {
  const product = useProductName()
  useEffect(() => {
    document.title = `${page} - ${product}`
  }, [page, product])
}
