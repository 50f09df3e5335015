import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace'
import { expect, it } from 'vitest'
import { samplerOf } from './sampler.ts'

/** The number kept of a thousand traces that start here. */
function kept(name: Parameters<typeof samplerOf>[0], share: number): number {
  const sampler = samplerOf(name, share)
  const ids = Array.from({ length: 1000 }, (_, at) => ((at + 1) * 4_294_967).toString(16).padStart(8, '0').repeat(4))
  const decided = ids.map((id) => sampler.shouldSample(ROOT_CONTEXT, id, 'a', SpanKind.SERVER, {}, []).decision)
  return decided.filter((one) => one === SamplingDecision.RECORD_AND_SAMPLED).length
}

it('keeps all traces, none, or the share that was set', () => {
  for (const parent of ['', 'parentbased_']) {
    expect(kept(`${parent}always_on`, 0)).toBe(1000)
    expect(kept(`${parent}always_off`, 1)).toBe(0)
    expect(kept(`${parent}traceidratio`, 0)).toBe(0)
    expect(kept(`${parent}traceidratio`, 1)).toBe(1000)
  }
})
