import { sql } from 'kysely'

/** Clears the columns of `patient` that name an erased person, except the number and the date of birth. */
export const NAMELESS = sql`first_name = null, last_name = null, address = null, address_sealed = null, suburb = null, state = null,
  postcode = null, mobile = null, email = null, mobile_sealed = null, email_sealed = null, sms_to = null, email_to = null,
  contact_source = null, sms_opt_out = true, email_opt_out = true`

/** The same for `prescription`. */
export const NAMELESS_PRESCRIPTION = sql`authority = null, original_pharmacy = null`

/** The same for `script`. */
export const NAMELESS_SCRIPT = sql`directions = null`
