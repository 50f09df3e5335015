import { addressOf } from '@pillar/domain/access/permission'
import type { Country } from '@pillar/domain/time/locale'
import type { Services } from '../../../api/context.ts'
import type { loginOwner } from '../../session/login.queries.ts'

export type Reader = NonNullable<Awaited<ReturnType<typeof loginOwner>>>

/** An email about a campaign, with a link to it and none of its text. */
export function campaignLetter(
  services: Services,
  reader: Reader,
  { id, name }: { id: string; name: string },
  subject: string,
  sentence: string,
) {
  const { PRODUCT_NAME: product, SUPPORT_EMAIL: support } = services.env
  const page = new URL(addressOf(reader.country as Country, 'campaign', id), services.publicUrl()).href
  return {
    to: reader.email,
    subject: `${subject}: ${name}`,
    text: [`Hello ${reader.first_name},`, sentence, `The campaign in ${product}:`, page, `Questions: ${support}.`].join(
      '\n\n',
    ),
  }
}
