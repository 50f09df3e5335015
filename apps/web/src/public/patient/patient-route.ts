export type PatientPage =
  | { name: 'consent'; token: string }
  | { name: 'unsubscribe'; token: string }
  | { name: 'download-file'; token: string }

const PATH = /^(?:\/en_(?:gb|us))?\/(consent|unsubscribe|u|download-file)\/([^/]+)\/?$/i

/** Which of the patients' pages an address stands for; null for none. */
export function patientPageOf(pathname: string): PatientPage | null {
  const [, name, coded] = PATH.exec(pathname) ?? []
  if (name === undefined || coded === undefined) return null
  try {
    const page = name.toLowerCase() as PatientPage['name'] | 'u'
    // What a text writes short, because every character of it is paid.
    return { name: page === 'u' ? 'unsubscribe' : page, token: decodeURIComponent(coded) }
  } catch {
    return null
  }
}
