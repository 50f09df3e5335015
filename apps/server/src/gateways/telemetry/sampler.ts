import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Env } from '../../env.ts'

/** The sampler of OTEL_TRACES_SAMPLER. Those that are parent-based keep the whole of a trace or nothing of it, jobs and messages too. */
export function samplerOf(name: Env['OTEL_TRACES_SAMPLER'], share: number): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(share),
  }[name.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']()
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
