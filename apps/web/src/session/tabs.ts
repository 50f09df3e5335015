/** Tabs of one browser tell each other when they refreshed and when the session ended; they never send a token. */
export type TabSignal = { kind: 'refreshed'; at: number } | { kind: 'ended' }

const NAME = 'pillar_session'
const STAMP = 'pillar_last_refresh'
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(NAME)

export function signalTabs(news: TabSignal): void {
  channel?.postMessage(news)
  try {
    if (news.kind === 'refreshed') localStorage.setItem(STAMP, String(news.at))
    else localStorage.removeItem(STAMP)
  } catch {
    // Storage is blocked, so only the channel carries the message.
  }
}

export function listenToTabs(hear: (news: TabSignal) => void): void {
  channel?.addEventListener('message', (event: MessageEvent<TabSignal>) => hear(event.data))
}

/** When any tab last refreshed, for a tab that slept through the message; 0 if unknown. */
export function lastTabStamp(): number {
  try {
    return Number(localStorage.getItem(STAMP)) || 0
  } catch {
    return 0
  }
}
