import { refreshDue } from '@pillar/domain/access/session'

/** The bearer keeper's outside dependencies; tests provide a clock and a counter. */
export interface RefreshOptions<Answer extends { access_token: string }> {
  now(): number
  /** POST /api/refresh: the cookie mints a new token. */
  refresh(): Promise<Answer>
  /** Called with every new answer and the time its token was minted. If it throws, no call gets that token. */
  minted(answer: Answer, at: number): void
}

export interface BearerKeeper {
  /** A token fresh enough to send; refreshes first if it is not. */
  bearer(): Promise<string>
  /** Refreshes now, or joins the refresh already under way. */
  renew(): Promise<string>
  forget(): void
}

/**
 * Holds this tab's access token, in memory only. Refreshes before a call when more than 5 minutes have passed since
 * this tab's last refresh; any number of calls share one refresh in flight. A failed refresh is thrown to all of them.
 */
export function keepBearer<Answer extends { access_token: string }>(door: RefreshOptions<Answer>): BearerKeeper {
  let token: string | null = null
  let mintedAt = 0
  let inFlight: Promise<string> | null = null

  async function refresh(): Promise<string> {
    // Measured from before the request: the server's window starts when it answers, never earlier.
    const asked = door.now()
    const answer = await door.refresh()
    door.minted(answer, asked)
    token = answer.access_token
    mintedAt = asked
    return token
  }

  function renew(): Promise<string> {
    inFlight ??= refresh().finally(() => {
      inFlight = null
    })
    return inFlight
  }

  return {
    renew,
    bearer: async () => (token !== null && !refreshDue(mintedAt, door.now()) ? token : renew()),
    forget() {
      token = null
      mintedAt = 0
    },
  }
}
