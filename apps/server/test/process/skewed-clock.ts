/** Loaded before a process's own code, simulates a machine whose clock is wrong by SKEW_MS milliseconds. */
const skew = Number(process.env.SKEW_MS)

globalThis.Date = new Proxy(Date, {
  construct: (date, values, self) => Reflect.construct(date, values.length === 0 ? [date.now() + skew] : values, self),
  apply: (date) => new date(date.now() + skew).toString(),
  get: (date, name) => (name === 'now' ? () => date.now() + skew : Reflect.get(date, name)),
})
