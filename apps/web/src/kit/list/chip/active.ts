/** The filter for active or inactive rows. */
export const ACTIVE = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const

/** The filter in a call's format, from the address bar; undefined while it is off. */
export const activeOf = (status: string | undefined): boolean | undefined =>
  status === undefined ? undefined : status === 'active'
