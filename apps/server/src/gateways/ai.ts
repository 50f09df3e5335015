/** An AI service that writes text. */
export interface Ai {
  readonly model: string
  /**
   * The model's answer to an instruction and what a person asked; may be empty.
   * @throws AiFailure when there is none within 20 seconds, or nobody waits for it any more
   */
  write: (instruction: string, asked: string, watch?: Watch) => Promise<string>
}

/** How somebody waits for an answer. */
export interface Watch {
  /** Told all there is so far, each time there is more; the service is then asked to answer piece by piece. */
  onText?: ((soFar: string) => void) | null
  /** Aborted when nobody waits any more: then the service is not waited for either. */
  gone?: AbortSignal
}

/** Why there is no answer, in plain words; never holds what was asked. */
export class AiFailure extends Error {}
