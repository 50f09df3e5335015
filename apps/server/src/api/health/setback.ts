import type { Setback } from '@pillar/domain/upload/upload-state'
import { KeysAway } from '../../db/field/key-file.ts'

/** SQLSTATE classes and codes with which PostgreSQL reports a server fault rather than a faulty statement. */
const DISK_FULL = /^53100$/
const AWAY = /^(08...|53...|57...|58...|40...|55P03|25P0[2-4]|25006)$/
const CONNECTION = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
const FULL = /^(ENOSPC|EDQUOT)$/
const FILES = /^(EIO|EACCES|EPERM|EROFS|ESTALE|EMFILE|ENFILE|ENOMEM|ENODEV|ENXIO|EBUSY|ENOTCONN)$/
/** The driver's own errors have no code. */
const BY_MESSAGE =
  /^(connection terminated|timeout exceeded when trying to connect|query read timeout|client (was closed|has encountered a connection error)|cannot use a pool after|driver has already been destroyed)/i

/** The server fault that stopped a load, from the error or its cause; null when it is not a server fault. */
export function setbackOf(error: unknown): Setback | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof KeysAway) return 'keys_away'
    const { code, message } = one as NodeJS.ErrnoException
    const found = code === undefined ? null : byCode(code)
    if (found) return found
    if (BY_MESSAGE.test(message)) return 'database_away'
  }
  return null
}

function byCode(code: string): Setback | null {
  if (DISK_FULL.test(code) || FULL.test(code)) return 'disk_full'
  if (AWAY.test(code) || CONNECTION.test(code)) return 'database_away'
  return FILES.test(code) ? 'files_away' : null
}
