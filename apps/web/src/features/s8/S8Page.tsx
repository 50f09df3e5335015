import { useSearch } from '@tanstack/react-router'
import { AttentionPage } from './AttentionPage.tsx'
import { PharmacyPage } from './PharmacyPage.tsx'
import { RegisterPrint } from './RegisterPrint.tsx'
import { S8ListPage } from './S8ListPage.tsx'
import type { S8Search } from './s8-search.ts'

/** S8 Management: all pharmacies, issues that need attention, one pharmacy's registers, or a page of one to print. */
export function S8Page() {
  const { pharmacy, view, product } = useSearch({ strict: false }) as S8Search
  if (pharmacy && view === 'print' && product !== undefined)
    return <RegisterPrint pharmacy={pharmacy} product={String(product)} />
  if (pharmacy) return <PharmacyPage key={pharmacy} pharmacy={pharmacy} />
  return view === 'attention' ? <AttentionPage /> : <S8ListPage />
}
