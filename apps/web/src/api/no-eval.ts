import { config } from 'zod'

// Before the contract's first schema: zod would otherwise try what the page's security policy forbids, and browsers report each attempt.
config({ jitless: true })
