import { PHARMACY_LIMITS } from '@pillar/domain/company/pharmacy'
import { z } from 'zod'

/** A postcode as a client sends it: text, or a number in Australia, whose leading zero is put back (800 is 0800). */
export const postcodeInput = z.union([
  z.string().max(PHARMACY_LIMITS.postcode),
  z
    .number()
    .int()
    .min(0)
    .max(9999)
    .transform((code) => String(code).padStart(4, '0')),
])
