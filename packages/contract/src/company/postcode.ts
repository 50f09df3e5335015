import { PHARMACY_LIMITS } from '@pillar/domain/company/pharmacy'
import { z } from 'zod'

/** A postcode as a client sends it: text, or in Australia also a number, whose leading zero is restored (800 becomes 0800). */
export const postcodeInput = z.union([
  z.string().max(PHARMACY_LIMITS.postcode),
  z
    .number()
    .int()
    .min(0)
    .max(9999)
    .transform((code) => String(code).padStart(4, '0')),
])
