import { Gauge, type Registry } from 'prom-client'
import { missingInLedger } from '../../features/erasure/ledger-gap.ts'
import type { Services } from '../context.ts'
import { reasonOf } from '../log.ts'

/** How many erasures a restored backup would undo, because this process's erasure ledger lacks them. */
export function erasureGauge(services: Services, registry: Registry): void {
  new Gauge({
    name: 'pillar_erasures_not_in_ledger',
    help: 'Erasures that the database knows and the ledger in DATA_DIR lacks; NaN while unknown',
    registers: [registry],
    async collect() {
      try {
        this.set((await missingInLedger(services)).length)
      } catch (error) {
        services.log.warn({ reason: reasonOf(error) }, 'the erasure ledger could not be held against the database')
        this.set(Number.NaN)
      }
    },
  })
}
