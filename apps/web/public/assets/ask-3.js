// Requests what a patient's page shows while its script is still on the way, which saves a slow phone the wait for one answer. It is its own
// file for the same reasons as scheme-1.js; src/public/patient-calls.ts takes the answer over.
;(() => {
  const [, page, token, leave] =
    /\/(consent|unsubscribe|u|clinicaltrial)\/([^/]+)(\/withdraw)?\/?$/i.exec(location.pathname) ?? []
  if (!token) return
  const trial = page.toLowerCase() === 'clinicaltrial'
  if (leave && !trial) return
  const consent = page.toLowerCase() === 'consent'
  const path = trial
    ? `/api/consent/${token}${leave ? '/withdrawal' : ''}`
    : `/api/${consent ? 'communication-consent' : 'validate-unsubscribe'}/${token}`
  const headers = { 'content-type': 'application/json' }
  const answer = fetch(path, { method: 'POST', headers, body: '{}', credentials: 'same-origin' })
  // The caller that takes the answer over handles a failure; nobody else needs to.
  answer.catch(() => {})
  window.pillarAsked = { path, answer }
})()
