export interface PatientPage {
  name: 'consent' | 'unsubscribe' | 'download-file' | 'clinicaltrial' | 'withdraw'
  token: string
}

const PATH = /^(?:\/en_(?:gb|us))?\/(consent|unsubscribe|u|download-file|clinicaltrial)\/([^/]+?)(\/withdraw)?\/?$/i

/** The patients' page at an address; null for none. */
export function patientPageOf(pathname: string): PatientPage | null {
  const [, name, coded, leave] = PATH.exec(pathname) ?? []
  if (name === undefined || coded === undefined) return null
  try {
    const page = name.toLowerCase() as Exclude<PatientPage['name'], 'withdraw'> | 'u'
    const token = decodeURIComponent(coded)
    if (leave) return page === 'clinicaltrial' ? { name: 'withdraw', token } : null
    // The short form used in texts, where every character costs.
    return { name: page === 'u' ? 'unsubscribe' : page, token }
  } catch {
    return null
  }
}
