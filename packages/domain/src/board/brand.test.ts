import { describe, expect, it } from 'vitest'
import { brandOf, productOf } from './brand.ts'

describe('the brand of a product', () => {
  it('is the text before its strength', () => {
    expect(brandOf('Cardaxa 10 mg tablet (30)', 'rosuvastatin')).toBe('cardaxa')
    expect(brandOf('Cardaxa  Duo 10 mg/20 mg', 'ezetimibe + rosuvastatin')).toBe('cardaxa duo')
    expect(brandOf('Rosuvastatin 10 mg tablet (30)', 'rosuvastatin')).toBe('')
    expect(brandOf('Rosuvastatin Sandy 10 mg', 'Rosuvastatin')).toBe('')
  })

  it('belongs to the longest name it begins with, word by word', () => {
    const products = ['Cardaxa', 'Cardaxa Duo']
    expect(productOf('cardaxa', products)).toBe('Cardaxa')
    expect(productOf('cardaxa duo', products)).toBe('Cardaxa Duo')
    expect(productOf('cardaxal', products)).toBeNull()
    expect(productOf('cardaxa', [' Cardaxa '])).toBe(' Cardaxa ')
    expect(productOf('', products)).toBeNull()
  })
})
