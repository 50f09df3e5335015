/** A web address without its scheme, for reading. */
export function websiteText(website: string): string {
  return website.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

/** A web address as a link target; a scheme other than http(s) gives none. */
export function websiteLink(website: string): string {
  return /^https?:\/\//.test(website) ? website : `https://${website}`
}
