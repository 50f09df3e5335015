import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { comparable } from '@pillar/domain/access/password'

const listFile = fileURLToPath(new URL('../../../data/common-passwords.txt', import.meta.url))
let loaded: ReadonlySet<string> | null = null

/** Read once, when the first password is chosen, not at every start. */
function commonPasswords(): ReadonlySet<string> {
  loaded ??= new Set(readFileSync(listFile, 'utf8').split('\n').filter(Boolean))
  return loaded
}

/**
 * Whether attackers would try this password early: it is listed, repeats a short or listed piece, or joins two
 * listed passwords, with or without symbols and spaces. The list has few long passwords, and a minimum length
 * tempts people to build long ones this way.
 */
export function isCommon(password: string): boolean {
  const text = comparable(password)
  return isBuiltFromList(text) || isBuiltFromList(text.replaceAll(/[\s!-/:-@[-`{-~]/g, ''))
}

function isBuiltFromList(text: string): boolean {
  const list = commonPasswords()
  if (list.has(text)) return true
  const piece = repeatedPiece(text)
  if (piece !== null && (piece.length <= 4 || list.has(piece))) return true
  for (let cut = 4; cut <= text.length - 4; cut++) {
    if (list.has(text.slice(0, cut)) && list.has(text.slice(cut))) return true
  }
  return false
}

/** The shortest piece that makes the text when repeated (the last copy may be cut off); null if nothing repeats. */
function repeatedPiece(text: string): string | null {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.startsWith(text.slice(length))) return text.slice(0, length)
  }
  return null
}
