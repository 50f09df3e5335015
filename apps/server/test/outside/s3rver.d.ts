/** The parts in use of the S3 server for tests; it brings no types. */
declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http'

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      allowMismatchedSignatures: boolean
      directory: string
      configureBuckets: { name: string }[]
    })
    httpServer: Server
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
