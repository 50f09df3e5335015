import { Counter, Gauge, type Registry } from 'prom-client'
import type { Services } from '../context.ts'

/** Whether the replica answers, how far it is behind, and which server answered reads of figures; nothing if none is configured. */
export function replicaGauges({ replica }: Services, registry: Registry): void {
  if (!replica) return
  const registers = [registry]
  new Gauge({
    name: 'pillar_replica_used',
    help: 'Whether reads of figures go to the replica',
    registers,
    collect() {
      this.set(replica.used ? 1 : 0)
    },
  })
  const lag = (unit: 'seconds' | 'bytes', help: string) =>
    new Gauge({
      name: `pillar_replica_lag_${unit}`,
      help,
      registers,
      collect() {
        // NaN, because 0 would mean the replica is up to date.
        this.set(replica.lag?.[unit] ?? Number.NaN)
      },
    })
  lag('seconds', 'How long ago the primary was where the replica is; NaN while unknown')
  lag('bytes', 'How much of the log the replica lacks; NaN while unknown')
  new Counter({
    name: 'pillar_replica_reads_total',
    help: 'Reads of figures since the start: answered by the replica, or by the primary and why',
    labelNames: ['answered'],
    registers,
    collect() {
      this.reset()
      for (const [answered, count] of Object.entries(replica.counts)) this.inc({ answered }, count)
    },
  })
}
