import fc from 'fast-check'

// With SEED set, tests that draw their cases at random draw the same ones again: a build machine's result is then the commit's.
if (process.env.SEED) fc.configureGlobal({ seed: Number(process.env.SEED) })
