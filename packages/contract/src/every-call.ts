import { type Call, contract } from './index.ts'

/** A call with its position in the contract. Its name, such as 'company.search', is its group and its member in the group. */
export interface NamedCall {
  group: string
  member: string
  name: string
  call: Call
}

/** Every call, in the contract's order. */
export const everyCall: readonly NamedCall[] = Object.entries(contract).flatMap(([group, calls]) =>
  (Object.entries(calls) as [string, Call][]).map(([member, call]) => ({
    group,
    member,
    name: `${group}.${member}`,
    call,
  })),
)
