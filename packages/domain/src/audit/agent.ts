const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

const nameIn = (agent: string, list: readonly (readonly [string, RegExp])[]) =>
  list.find(([, pattern]) => pattern.test(agent))?.[0]

/**
 * The family of a browser and its system, such as 'Firefox on Windows'; 'A program' for anything but a browser, null if nothing was sent.
 * Versions are left out, because they would tell a browser from others of its family.
 */
export function agentFamily(agent: string | null): string | null {
  if (!agent) return null
  const browser = nameIn(agent, BROWSERS)
  const system = nameIn(agent, SYSTEMS)
  if (!browser) return system && /^Mozilla\//.test(agent) ? `A browser on ${system}` : 'A program'
  return system ? `${browser} on ${system}` : browser
}
