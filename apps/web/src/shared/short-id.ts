/** The end of a pharmacy's id, as it stands in the address bar: 48 random bits, so that a hundred pharmacies fit into a link. */
export const shortId = (id: string): string => id.slice(-12)
