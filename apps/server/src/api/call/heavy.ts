import { type Call, Refusal } from '@pillar/contract'
import type { Context, Services } from '../context.ts'

/** How many heavy reads of one company may wait for a turn, and how long, before they are refused. */
const QUEUE = 16
const WAIT_MS = 2_000
const RETRY_AFTER_SECONDS = 2
/** Once a company has this many reads waiting, each is followed by a rest. No single screen asks for that many at once. */
const CROWD = 5
/** Longest rest. Up to here, other companies get the processors for as long as this one had them. */
const MOST_REST_MS = 200

/**
 * Turns for heavy reads. In this process each company runs `atOnce` at a time and a few more wait briefly, so that one company's reads
 * leave connections and processors for the others.
 */
export class Turns {
  readonly #atOnce: number
  readonly #running = new Map<number, number>()
  readonly #waiting = new Map<number, Set<() => void>>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Runs `work` when it is the company's turn. @throws Refusal `too_many` when the queue is full or the wait too long; `work` has not started */
  async run<T>(companyId: number, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#count(companyId) < this.#atOnce) this.#running.set(companyId, this.#count(companyId) + 1)
    else await this.#wait(companyId, gone)
    const began = performance.now()
    try {
      return await work()
    } finally {
      this.#rest(companyId, performance.now() - began)
    }
  }

  /** The number of companies with reads running or waiting. */
  get busy(): number {
    return new Set([...this.#running.keys(), ...this.#waiting.keys()]).size
  }

  #count(companyId: number): number {
    return this.#running.get(companyId) ?? 0
  }

  /** Gives the turn back. If many reads of the company are waiting, first rests for as long as the work took. */
  #rest(companyId: number, ms: number): void {
    if ((this.#waiting.get(companyId)?.size ?? 0) < CROWD) this.#pass(companyId)
    else setTimeout(() => this.#pass(companyId), Math.min(ms, MOST_REST_MS))
  }

  /** Gives the turn to the read that has waited longest, or frees it. */
  #pass(companyId: number): void {
    const next = this.#waiting.get(companyId)?.values().next().value
    if (next) next()
    else if (this.#count(companyId) > 1) this.#running.set(companyId, this.#count(companyId) - 1)
    else this.#running.delete(companyId)
  }

  #wait(companyId: number, gone: AbortSignal): Promise<void> {
    const queue = this.#waiting.get(companyId) ?? new Set()
    if (queue.size >= QUEUE) throw tooMany()
    this.#waiting.set(companyId, queue)
    return new Promise((done, refused) => {
      const leave = () => {
        clearTimeout(late)
        gone.removeEventListener('abort', give)
        queue.delete(turn)
        if (queue.size === 0) this.#waiting.delete(companyId)
      }
      const turn = () => {
        leave()
        done()
      }
      const give = () => {
        leave()
        refused(tooMany())
      }
      const late = setTimeout(give, WAIT_MS)
      gone.addEventListener('abort', give, { once: true })
      queue.add(turn)
      if (gone.aborted) give()
    })
  }
}

const tooMany = () =>
  new Refusal('too_many', 'Your company is asking for a lot at the moment. Please try again in a few seconds.', {
    retryAfter: RETRY_AFTER_SECONDS,
  })

const turnsOf = new WeakMap<Services, Turns>()

/** The work of a call; waits for the company's turn if the contract marks the call `heavy`. */
export function inTurn<A, R>(call: Call, context: Context, work: (asked: A) => Promise<R>): (asked: A) => Promise<R> {
  const { caller, services, gone } = context
  if (!call.heavy || !caller) return work
  const turns = turnsOf.get(services) ?? new Turns(services.env.HEAVY_AT_ONCE)
  turnsOf.set(services, turns)
  return (asked) => turns.run(caller.companyId, gone, () => work(asked))
}
