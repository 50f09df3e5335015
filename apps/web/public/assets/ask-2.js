// Asks for what a patient's page shows while its script is still on the way: on a slow phone that is the wait for one answer less.
// Its own file for the same reasons as scheme-1.js; src/public/patient-calls.ts takes the answer over.
;(() => {
  const [, page, token] = /\/(consent|unsubscribe|u)\/([^/]+)\/?$/i.exec(location.pathname) ?? []
  if (!token) return
  const path = `/api/${page.toLowerCase() === 'consent' ? 'communication-consent' : 'validate-unsubscribe'}/${token}`
  const headers = { 'content-type': 'application/json' }
  const answer = fetch(path, { method: 'POST', headers, body: '{}', credentials: 'same-origin' })
  // Whoever takes it over hears of a failure; nobody else needs to.
  answer.catch(() => {})
  window.pillarAsked = { path, answer }
})()
