/** The filter of a list by whether its rows are active. */
export const ACTIVE = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const

/** The filter as a call takes it, from the address bar; undefined while it is off. */
export const activeOf = (status: string | undefined): boolean | undefined =>
  status === undefined ? undefined : status === 'active'
