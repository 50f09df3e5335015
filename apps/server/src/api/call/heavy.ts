import { type Call, Refusal } from '@pillar/contract'
import type { Context, Services } from '../context.ts'

/** How many heavy reads of one company wait for their turn, and how long, before they are told to come again. */
const QUEUE = 16
const WAIT_MS = 2_000
const RETRY_AFTER_SECONDS = 2
/** From so many waiting reads of a company on there is a rest after each: more than any one screen asks for at once. */
const CROWD = 5
/** Longest rest: for as long as the company had the processors, others have them. */
const MOST_REST_MS = 200

/**
 * Turns of heavy reads. Of each company `atOnce` run at a time in this process and a few more wait a short while, so that what one company
 * asks for leaves connections and processors to the others.
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

  /** Companies of which anything runs or waits. */
  get busy(): number {
    return new Set([...this.#running.keys(), ...this.#waiting.keys()]).size
  }

  #count(companyId: number): number {
    return this.#running.get(companyId) ?? 0
  }

  /** Gives the turn back; where a crowd of the company waits, after a rest as long as the work was. */
  #rest(companyId: number, ms: number): void {
    if ((this.#waiting.get(companyId)?.size ?? 0) < CROWD) this.#pass(companyId)
    else setTimeout(() => this.#pass(companyId), Math.min(ms, MOST_REST_MS))
  }

  /** Hands the turn to who has waited longest, else gives it up. */
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

/** The work of a call, put in its company's turn where the contract says `heavy`. */
export function inTurn<A, R>(call: Call, context: Context, work: (asked: A) => Promise<R>): (asked: A) => Promise<R> {
  const { caller, services, gone } = context
  if (!call.heavy || !caller) return work
  const turns = turnsOf.get(services) ?? new Turns(services.env.HEAVY_AT_ONCE)
  turnsOf.set(services, turns)
  return (asked) => turns.run(caller.companyId, gone, () => work(asked))
}
