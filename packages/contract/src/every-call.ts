import { type Call, contract } from './index.ts'

/** A call and where it stands in the contract: its name, 'company.search', is its group and its member in that. */
export interface NamedCall {
  group: string
  member: string
  name: string
  call: Call
}

/** Every call of the contract, in its order. */
export const everyCall: readonly NamedCall[] = Object.entries(contract).flatMap(([group, calls]) =>
  (Object.entries(calls) as [string, Call][]).map(([member, call]) => ({
    group,
    member,
    name: `${group}.${member}`,
    call,
  })),
)
