/**
 * The brand of a product according to its name: the words before the strength, in lower case. Empty for a product named by its molecule, as
 * generics are.
 * @param name such as 'Cardaxa 10 mg tablet (30)'
 */
export function brandOf(name: string, molecule: string): string {
  const words = name.split(/\d|\(/, 1)[0]!.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  return words.startsWith(molecule.toLowerCase()) ? '' : words
}

/**
 * The supplier's product a brand belongs to: the longest name the brand begins with, word by word; null for another supplier's.
 * @param products names as support entered them
 */
export function productOf(brand: string, products: readonly string[]): string | null {
  const fits = products.filter((product) => `${brand} `.startsWith(`${product.trim().toLowerCase()} `))
  return fits.sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0] ?? null
}
