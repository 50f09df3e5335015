/** A web address without its scheme, for reading. */
export function websiteText(website: string): string {
  return website.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

/** A web address that can be followed; a scheme that is not http(s) is no link. */
export function websiteLink(website: string): string {
  return /^https?:\/\//.test(website) ? website : `https://${website}`
}
