import { z } from 'zod'

/** An answer whose fields stand in `data` as well, where the specification names them (decision 009). */
export const alsoInData = <S extends z.ZodRawShape>(fields: S) => z.object({ ...fields, data: z.object(fields) })
