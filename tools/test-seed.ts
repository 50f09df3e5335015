import fc from 'fast-check'

// With SEED set, tests that draw their cases at random draw the same ones again, so a build machine's result depends only on the commit.
if (process.env.SEED) fc.configureGlobal({ seed: Number(process.env.SEED) })
