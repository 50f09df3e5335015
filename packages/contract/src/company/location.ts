import { z } from 'zod'
import { read } from '../wire/call.ts'

export const location = {
  pharmacies: read({
    path: '/api/get-pharmacies',
    needs: 'data_analytics',
    about: 'The company’s pharmacies.',
    example: {},
    input: z.object({}),
    output: z.object({ data: z.array(z.object({ name: z.string(), uuid: z.uuid() })) }),
  }),
}
