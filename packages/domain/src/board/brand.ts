/**
 * The brand a product is sold under, as its name says it: the words before the strength, in small letters. Empty for a product that is
 * named by its molecule, which is how generics are named.
 * @param name such as 'Cardaxa 10 mg tablet (30)'
 */
export function brandOf(name: string, molecule: string): string {
  const words = name.split(/\d|\(/, 1)[0]!.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  return words.startsWith(molecule.toLowerCase()) ? '' : words
}

/**
 * Which of a supplier's products a brand is: the longest name the brand begins with, word by word; null for somebody else's.
 * @param products names as support entered them
 */
export function productOf(brand: string, products: readonly string[]): string | null {
  const fits = products.filter((product) => `${brand} `.startsWith(`${product.trim().toLowerCase()} `))
  return fits.sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0] ?? null
}
