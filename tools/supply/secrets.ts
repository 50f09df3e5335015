/** Patterns of secrets, by kind. */
const KINDS: [kind: string, pattern: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*\n[A-Za-z0-9+/]/g],
  ['a key of Amazon', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})/g],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['a token of Slack', /\bxox[abprs]-[A-Za-z0-9-]{20,}/g],
  ['a key of OpenAI', /\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}/g],
  ['a key of Stripe', /\b[rs]k_live_[A-Za-z0-9]{20,}/g],
  ['a key of SendGrid', /\bSG\.[\w-]{20,}\.[\w-]{40,}/g],
  ['a key of Twilio', /\bSK[0-9a-f]{32}\b/g],
  ['a key of Google', /\bAIza[\w-]{35}\b/g],
  ['a JSON Web Token', /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}/g],
]

/** A long word of letters and digits assigned to something named like a secret. */
const NAMED =
  /(?:secret|passw(?:or)?d|token|api_?key|access_?key|auth)\w*["']?\s*[:=]\s*["'`]?([A-Za-z0-9+/_=-]{20,})/gi

/** Bits per letter: words and made-up names stay below, random keys of 20 letters and more are above. */
const RANDOM_BITS = 4

/** Shannon entropy of a text's letters, in bits per letter. */
export function bitsOf(text: string): number {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return -[...counts.values()].reduce((sum, n) => sum + (n / text.length) * Math.log2(n / text.length), 0)
}

const isRandom = (text: string) => /\d/.test(text) && /[A-Za-z]/.test(text) && bitsOf(text) >= RANDOM_BITS

/**
 * Secrets in a text, each with its line, as `a key of Amazon, line 3`. The answer contains nothing of the secret itself.
 * @param allowed exact texts that only look like secrets
 */
export function secretsIn(text: string, allowed: ReadonlySet<string>): string[] {
  const found = KINDS.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map((hit) => ({ kind, hit, secret: hit[0] })),
  )
  for (const hit of text.matchAll(NAMED)) {
    const secret = hit[1] ?? ''
    if (isRandom(secret)) found.push({ kind: 'something random under the name of a secret', hit, secret })
  }
  return found
    .filter(({ secret }) => !allowed.has(secret))
    .map(({ kind, hit }) => `${kind}, line ${text.slice(0, hit.index).split('\n').length}`)
}
