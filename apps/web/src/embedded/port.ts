/** What the embedding page may send to a board, and how the board answers: the protocol of Superset's embedding SDK. */
interface Listeners {
  /** A token for the board's figures: the first, and each replacement. */
  onToken: (token: string) => void
  /** 'default' is light. */
  onTheme: (mode: 'default' | 'dark' | 'system') => void
}

interface Message {
  switchboardAction?: unknown
  method?: unknown
  messageId?: unknown
  args?: { guestToken?: unknown; mode?: unknown }
}

/**
 * Waits for the port that the embedding page hands over, listens to it, and answers its requests.
 * @returns a function that tells the page what the board now shows, as Superset does with its filters, and how high it is
 */
export function listenToParent({ onToken, onTheme }: Listeners): (mask: object) => void {
  let open: MessagePort | null = null
  window.addEventListener('message', ({ source, data, ports: [port] }: MessageEvent) => {
    const { type, handshake } = (data ?? {}) as { type?: unknown; handshake?: unknown }
    if (source !== window.parent || type !== '__embedded_comms__' || handshake !== 'port transfer' || !port) return
    open = port
    port.onmessage = ({ data: message }: MessageEvent<Message | null>) => {
      const { switchboardAction, method, messageId, args } = message ?? {}
      if (switchboardAction === 'get') port.postMessage(answerTo(method, messageId))
      if (switchboardAction !== 'emit') return
      if (method === 'guestToken' && typeof args?.guestToken === 'string') onToken(args.guestToken)
      if (method === 'setThemeMode' && isMode(args?.mode)) onTheme(args.mode)
    }
  })
  return (mask) => open?.postMessage({ switchboardAction: 'emit', method: 'observeDataMask', args: mask })
}

function answerTo(method: unknown, messageId: unknown): object {
  const { scrollWidth: width, scrollHeight: height } = document.documentElement
  if (method === 'getScrollSize') return { switchboardAction: 'reply', messageId, result: { width, height } }
  return { switchboardAction: 'error', messageId, error: 'not offered by this board' }
}

const isMode = (mode: unknown): mode is 'default' | 'dark' | 'system' =>
  mode === 'default' || mode === 'dark' || mode === 'system'
