/** An AI service that writes text. */
export interface Ai {
  readonly model: string
  /**
   * The model's answer to an instruction and a person's request; may be empty.
   * @throws AiFailure if there is none within 20 seconds, or nobody is waiting for it any more
   */
  write: (instruction: string, asked: string, watch?: Watch) => Promise<string>
}

/** How a caller follows an answer. */
export interface Watch {
  /** Called with the whole text so far each time there is more; the service is then asked to answer piece by piece. */
  onText?: ((soFar: string) => void) | null
  /** Aborts when the caller has gone; the service is then dropped too. */
  gone?: AbortSignal
}

/** Why there is no answer, in plain words; never contains the request. */
export class AiFailure extends Error {}
