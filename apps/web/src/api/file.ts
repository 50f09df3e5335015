import type { AskOf, Call } from '@pillar/contract'
import type { FileReply } from '@pillar/contract/wire/sheet'
import { type SentOf, send } from './client.ts'

/** Sends a call that returns a spreadsheet or a long file, and returns the file. */
export async function sendForFile<C extends Call>(call: C, input: AskOf<C>): Promise<FileReply> {
  return (await send(call, input as SentOf<C>)) as unknown as FileReply
}
