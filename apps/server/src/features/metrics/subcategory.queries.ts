import { CATEGORIES, type Category, subcategoriesOf, UNCLASSIFIED } from '@pillar/domain/dispensing/category'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'

/** Stored number of a category; 0 is the total over all. */
export const categoryId = (category: Category): number => CATEGORIES.indexOf(category) + 1

/** Makes sure that the categories and every subcategory known beforehand exist. Cheap if they do. */
export async function ensureSubcategories(db: Database | Tx): Promise<void> {
  const wanted = CATEGORIES.flatMap((category) =>
    [...subcategoriesOf(category), UNCLASSIFIED].map((name) => ({ category_id: categoryId(category), name })),
  )
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from subcategory where category_id < ${categoryId('Molecule')}`.execute(db)
  if ((rows[0]?.n ?? 0) >= wanted.length - 1) return
  await db
    .insertInto('category')
    .values(CATEGORIES.map((name) => ({ id: categoryId(name), name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('subcategory')
    .values(wanted)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
