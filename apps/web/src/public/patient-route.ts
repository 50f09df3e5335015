export type PatientPage =
  | { name: 'consent'; token: string }
  | { name: 'unsubscribe'; token: string }
  | { name: 'download-file'; token: string }

const PATH = /^(?:\/en_(?:gb|us))?\/(consent|unsubscribe|download-file)\/([^/]+)\/?$/i

/** Which of the patients' pages an address stands for; null for none. */
export function patientPageOf(pathname: string): PatientPage | null {
  const [, name, coded] = PATH.exec(pathname) ?? []
  if (name === undefined || coded === undefined) return null
  try {
    return { name: name.toLowerCase() as PatientPage['name'], token: decodeURIComponent(coded) }
  } catch {
    return null
  }
}
